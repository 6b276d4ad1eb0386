// The categories, tags and links of an article. An update keeps the rows that stay the same, and so the ids and dates
// of relations and links.
import type { Selectable } from 'kysely'
import { addLinks, type LinkOwner, replaceLinks } from './link-rows.ts'
import { pickColumns, defineQuery, type Session } from './query.ts'
import type { ContentLink } from './store.ts'
import type { Tables } from './tables.ts'

/** The relations of an article; an undefined list is not changed. */
interface ArticleRelations {
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[] | undefined
  readonly links: readonly ContentLink[]
}

/** Adds relations to an article without any. */
export async function addRelations(
  session: Session,
  owner: LinkOwner,
  wanted: ArticleRelations,
): Promise<void> {
  await addItems(session, owner, wanted)
  await addLinks(session, owner, wanted.links)
}

async function addItems(
  session: Session,
  owner: LinkOwner,
  wanted: Pick<ArticleRelations, 'categoryIds' | 'tagIds'>,
): Promise<void> {
  const shared = { site_id: owner.siteId, article_id: owner.articleId }
  for (const category_id of new Set(wanted.categoryIds)) {
    await session.run(relationQueries.addCategory, {
      id: session.newId(),
      ...shared,
      category_id,
      added_date: owner.now,
    })
  }
  for (const tag_id of new Set(wanted.tagIds)) {
    await session.run(relationQueries.addTag, { id: session.newId(), ...shared, tag_id })
  }
}

/** Replaces relations: adds the missing ones, removes the others. */
export async function replaceRelations(
  session: Session,
  owner: LinkOwner,
  wanted: ArticleRelations,
): Promise<void> {
  const { articleId } = owner
  const categories = await session.all(relationQueries.categories, { articleId })
  const tags = await session.all(relationQueries.tags, { articleId })
  const unwanted = {
    removeCategory: categories.filter(({ itemId }) => !wanted.categoryIds.includes(itemId)),
    removeTag: tags.filter(({ itemId }) => wanted.tagIds?.includes(itemId) === false),
  }
  for (const [remove, rows] of Object.entries(unwanted) as [keyof typeof unwanted, { id: string }[]][]) {
    for (const { id } of rows) await session.run(relationQueries[remove], { id })
  }
  await addItems(session, owner, {
    categoryIds: without(wanted.categoryIds, categories),
    tagIds: without(wanted.tagIds ?? [], tags),
  })
  await replaceLinks(session, owner, wanted.links)
}

function without(ids: readonly string[], present: readonly { readonly itemId: string }[]): string[] {
  return ids.filter((id) => !present.some(({ itemId }) => itemId === id))
}

const relationQueries = {
  categories: defineQuery((db, is: { articleId: string }) =>
    db
      .selectFrom('article_categories')
      .select(['id', 'category_id as itemId'])
      .where('article_id', '=', is.articleId),
  ),
  tags: defineQuery((db, is: { articleId: string }) =>
    db.selectFrom('article_tags').select(['id', 'tag_id as itemId']).where('article_id', '=', is.articleId),
  ),
  addCategory: defineQuery((db, row: Selectable<Tables['article_categories']>) =>
    db
      .insertInto('article_categories')
      .values(pickColumns(row, ['id', 'site_id', 'article_id', 'category_id', 'added_date'])),
  ),
  addTag: defineQuery((db, row: Selectable<Tables['article_tags']>) =>
    db.insertInto('article_tags').values(pickColumns(row, ['id', 'site_id', 'article_id', 'tag_id'])),
  ),
  removeCategory: defineQuery((db, is: { id: string }) =>
    db.deleteFrom('article_categories').where('id', '=', is.id),
  ),
  removeTag: defineQuery((db, is: { id: string }) => db.deleteFrom('article_tags').where('id', '=', is.id)),
}
