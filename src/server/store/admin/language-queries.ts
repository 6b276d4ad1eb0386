import type { Kysely } from 'kysely'
import { prepareQuery } from '../prepared-query.ts'
import type { Tables } from '../tables.ts'

export type LanguageQueries = ReturnType<typeof languageQueries>

/** The queries on languages that only a start and administration run. */
export function languageQueries(db: Kysely<Tables>) {
  return {
    countItems: prepareQuery((is: { siteId: string; language: string }) =>
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
    ),
    appendLanguage: prepareQuery((is: { siteId: string; code: string }) =>
      db
        .insertInto('languages')
        .columns(['site_id', 'code', 'position'])
        .expression((eb) =>
          eb
            .selectFrom('languages')
            .select((of) => [
              of.val(is.siteId).as('site_id'),
              of.val(is.code).as('code'),
              of(of.fn.coalesce(of.fn.max('position'), of.lit(-1)), '+', of.lit(1)).as('position'),
            ])
            .where('site_id', '=', is.siteId),
        ),
    ),
    removeLanguage: prepareQuery((is: { siteId: string; code: string }) =>
      db.deleteFrom('languages').where('site_id', '=', is.siteId).where('code', '=', is.code),
    ),
  }
}
