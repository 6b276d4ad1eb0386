import { sql } from 'kysely'
import { LISTED_URL_LIMIT_BYTES } from '../../api/contract/fields.ts'
import type { LinkPage } from './link-check-data.ts'
import type { LinkStore } from './link-store.ts'
import { defineQuery, type Database } from './query.ts'
import type { DatedPage, StoredLinkRecord, ReviewDateRecord, Creator } from './records.ts'

type PageOf = { readonly siteId: string; readonly after: number; readonly limit: number }
type DatedPageOf = {
  readonly siteId: string
  readonly date: string
  readonly id: string
  readonly limit: number
}

/** Reads the two reports: articles with a review date, by date, and links. */
export function createReportStore(database: Database, links: Pick<LinkStore, 'catchUp'>) {
  /** Oldest date first. Omits articles without a date. */
  async function listReviewDates(siteId: string, { after, limit }: DatedPage): Promise<ReviewDateRecord[]> {
    const rows = await database.reader.all(reviewDates, { siteId, ...after, limit })
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      status: row.status,
      reviewDate: row.review_date ?? '',
      language: row.language === '' ? null : row.language,
      creator: creatorOf(row),
    }))
  }

  async function listLinks(siteId: string, page: LinkPage): Promise<StoredLinkRecord[]> {
    if (page.after === 0) await links.catchUp(siteId)
    const rows = await database.reader.all(listedLinks, { siteId, ...page })
    return rows.map((row) => ({
      number: row.number,
      id: row.id,
      articleId: row.article_id,
      articleName: row.articleName,
      url: row.url,
      createdDate: row.created_date,
      // Links that were not checked yet count as working.
      working: row.working !== 0,
    }))
  }

  return { listReviewDates, listLinks }
}

const reviewDates = defineQuery((db, is: DatedPageOf) =>
  db
    .selectFrom('articles as item')
    .leftJoin('users as creator', 'creator.id', 'item.created_by')
    .select(['item.id', 'item.name', 'item.status', 'item.review_date', 'item.language'])
    .select(['creator.username', 'creator.first_name', 'creator.last_name', 'creator.email_address'])
    .where('item.site_id', '=', is.siteId)
    .where('item.review_date', 'is not', null)
    .where((eb) =>
      eb(eb.refTuple('item.review_date', 'item.id'), '>', eb.tuple(eb.val(is.date), eb.val(is.id))),
    )
    .orderBy('item.review_date')
    .orderBy('item.id')
    .limit(is.limit),
)

// The page is limited before the joins: PostgreSQL would otherwise join and sort all links after it.
const listedLinks = defineQuery((db, is: PageOf) =>
  db
    .selectFrom(
      db
        .selectFrom('links')
        .select(['number', 'id', 'article_id', 'url', 'created_date', 'target_id'])
        .where('site_id', '=', is.siteId)
        .where('number', '>', is.after)
        // Links stored by an older version may be longer.
        .where(sql<number>`octet_length(url)`, '<=', LISTED_URL_LIMIT_BYTES)
        .orderBy('number')
        .limit(is.limit)
        .as('item'),
    )
    .innerJoin('articles as article', 'article.id', 'item.article_id')
    .leftJoin('link_targets as check', 'check.id', 'item.target_id')
    .select(['item.number', 'item.id', 'item.article_id', 'item.url', 'item.created_date'])
    .select(['check.working', 'article.name as articleName'])
    .orderBy('item.number'),
)

type CreatorColumns = { readonly [Member in keyof Creator]: string | null }

/** Returns the creator from a joined row; every member is '' if it is unknown. */
export function creatorOf(row: CreatorColumns): Creator {
  return {
    username: row.username ?? '',
    first_name: row.first_name ?? '',
    last_name: row.last_name ?? '',
    email_address: row.email_address ?? '',
  }
}
