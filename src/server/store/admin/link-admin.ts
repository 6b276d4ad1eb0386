import type { Kysely } from 'kysely'
import { prepareQuery } from '../prepared-query.ts'
import type { Database } from '../session.ts'
import type { Page } from '../store.ts'
import type { Tables } from '../tables.ts'
import type { CheckedLinkRecord, LinkAdmin } from './admin-store.ts'

interface PageOf extends Page {
  readonly siteId: string
}

/** The links of a site with what their last checks met. */
export function createLinkAdmin(database: Database, db: Kysely<Tables>): LinkAdmin {
  const queries = {
    all: prepareQuery((is: { siteId: string; after: string; limit: number }) => checkedLinks(db, is)),
    broken: prepareQuery((is: { siteId: string; after: string; limit: number }) =>
      checkedLinks(db, is).where('check.working', '=', 0),
    ),
  }

  async function list(
    siteId: string,
    page: Page,
    which: 'all' | 'broken',
  ): Promise<readonly CheckedLinkRecord[]> {
    const rows = await database.reader.all(queries[which], { siteId, ...page })
    return rows.map(({ working, target, reason, failures, ...row }) => ({
      ...row,
      // What was not checked yet works.
      working: working !== 0,
      isCheckable: target !== '',
      failures: failures ?? 0,
      reason: reason ?? '',
    }))
  }

  return { list }
}

function checkedLinks(db: Kysely<Tables>, is: PageOf) {
  return db
    .selectFrom('links as item')
    .innerJoin('articles as article', 'article.id', 'item.article_id')
    .leftJoin('link_checks as check', (join) =>
      join.onRef('check.site_id', '=', 'item.site_id').onRef('check.target', '=', 'item.target'),
    )
    .select(['item.id', 'item.url', 'item.target', 'item.article_id as articleId'])
    .select(['article.name as articleName', 'article.slug as articleSlug'])
    .select(['check.working', 'check.failures', 'check.status', 'check.reason'])
    .select('check.checked_date as checkedDate')
    .where('item.site_id', '=', is.siteId)
    .where('item.id', '>', is.after)
    .orderBy('item.id')
    .limit(is.limit)
}
