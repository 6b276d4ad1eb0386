import { type Session, defineQuery } from '../query.ts'

export type ItemCounts = Awaited<ReturnType<typeof countItems>>

/** @param language as stored: '' for the default one */
export async function countItems(session: Session, siteId: string, language: string) {
  const row = await session.first(ITEM_COUNTS, { siteId, language })
  return {
    articles: Number(row?.articles ?? 0),
    categories: Number(row?.categories ?? 0),
    tags: Number(row?.tags ?? 0),
  }
}

/** Formats counts as in `2 articles and 1 tag`, without zeros. */
export function describeItems({ articles, categories, tags }: ItemCounts): string {
  const parts = [
    ...(articles > 0 ? [`${articles} article${articles === 1 ? '' : 's'}`] : []),
    ...(categories > 0 ? [`${categories} categor${categories === 1 ? 'y' : 'ies'}`] : []),
    ...(tags > 0 ? [`${tags} tag${tags === 1 ? '' : 's'}`] : []),
  ]
  return parts.join(' and ')
}

const ITEM_COUNTS = defineQuery((db, is: { siteId: string; language: string }) =>
  db.selectNoFrom(() =>
    (['articles', 'categories', 'tags'] as const).map((table) =>
      db
        .selectFrom(table as 'articles')
        .select((of) => of.fn.countAll().as('n'))
        .where('site_id', '=', is.siteId)
        .where('language', '=', is.language)
        .as(table),
    ),
  ),
)
