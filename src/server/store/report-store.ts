import type { Kysely } from 'kysely'
import { creatorOf } from './creator-of.ts'
import { prepareQuery } from './prepared-query.ts'
import type { Database } from './session.ts'
import type { LinkRecord, Page, ReviewDateRecord, Store } from './store.ts'
import type { Tables } from './tables.ts'

type ReportStore = Pick<Store, 'listReviewDates' | 'listLinks'>
interface PageOf extends Page {
  readonly siteId: string
}

/** The two reporting lists: articles that have a review date, and links. */
export function createReportStore(database: Database, db: Kysely<Tables>): ReportStore {
  const queries = {
    reviewDates: prepareQuery((is: { siteId: string; after: string; limit: number }) => reviewDates(db, is)),
    links: prepareQuery((is: { siteId: string; after: string; limit: number }) => links(db, is)),
  }

  async function listReviewDates(siteId: string, page: Page): Promise<ReviewDateRecord[]> {
    const rows = await database.reader.all(queries.reviewDates, { siteId, ...page })
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      status: row.status,
      reviewDate: row.review_date ?? '',
      language: row.language === '' ? null : row.language,
      creator: creatorOf(row),
    }))
  }

  async function listLinks(siteId: string, page: Page): Promise<LinkRecord[]> {
    const rows = await database.reader.all(queries.links, { siteId, ...page })
    return rows.map((row) => ({
      id: row.id,
      articleId: row.article_id,
      articleName: row.articleName,
      url: row.url,
      createdDate: row.created_date,
      working: row.working === 1,
    }))
  }

  return { listReviewDates, listLinks }
}

function reviewDates(db: Kysely<Tables>, is: PageOf) {
  return db
    .selectFrom('articles as item')
    .leftJoin('users as creator', 'creator.id', 'item.created_by')
    .select(['item.id', 'item.name', 'item.status', 'item.review_date', 'item.language'])
    .select(['creator.username', 'creator.first_name', 'creator.last_name', 'creator.email_address'])
    .where('item.site_id', '=', is.siteId)
    .where('item.review_date', 'is not', null)
    .where('item.id', '>', is.after)
    .orderBy('item.id')
    .limit(is.limit)
}

function links(db: Kysely<Tables>, is: PageOf) {
  return db
    .selectFrom('links as item')
    .innerJoin('articles as article', 'article.id', 'item.article_id')
    .select(['item.id', 'item.article_id', 'item.url', 'item.created_date', 'item.working'])
    .select('article.name as articleName')
    .where('item.site_id', '=', is.siteId)
    .where('item.id', '>', is.after)
    .orderBy('item.id')
    .limit(is.limit)
}
