import type { Kysely } from 'kysely'
import type { ReaderStore } from './reader-data.ts'
import { readerReportQueries } from './reader-report-queries.ts'
import type { Session } from './session.ts'
import type { Tables } from './tables.ts'

type ReaderReports = Pick<
  ReaderStore,
  | 'countByStatus'
  | 'lastChange'
  | 'listReviewedArticles'
  | 'listBrokenTargets'
  | 'listLinksTo'
  | 'countLinks'
  | 'listArticleVersions'
  | 'readSearchText'
>

/** What is asked of all articles of a site at once. */
export function createReaderReports(reader: Session, db: Kysely<Tables>): ReaderReports {
  const queries = readerReportQueries(db)

  return {
    async countByStatus(siteId) {
      const rows = await reader.all(queries.byStatus, { siteId })
      const count = (wanted: string) => rows.find(({ status }) => status === wanted)?.articles ?? 0
      return { published: count('published'), drafts: count('draft') }
    },
    lastChange: async (siteId) => (await reader.first(queries.lastChange, { siteId }))?.date ?? '',
    async listReviewedArticles(siteId, after, limit) {
      const rows = await reader.all(queries.reviewed, { siteId, date: after.reviewDate, id: after.id, limit })
      return rows.map(({ status, review_date, ...row }) => ({
        ...row,
        isDraft: status === 'draft',
        reviewDate: review_date ?? '',
      }))
    },
    listBrokenTargets: (after, limit) => reader.all(queries.brokenTargets, { after, limit }),
    async listLinksTo(siteId, target, after, limit) {
      const rows = await reader.all(queries.linksTo, { target, after, limit })
      const links = rows.filter((row) => row.site_id === siteId)
      return { links, last: rows.length < limit ? undefined : rows.at(-1)?.id }
    },
    countLinks: async (siteId) => ({
      links: (await reader.first(queries.links, { siteId }))?.count ?? 0,
      unchecked: (await reader.first(queries.uncheckedLinks, { siteId }))?.count ?? 0,
    }),
    async listArticleVersions(siteId, { language, order, name, id }, limit) {
      const rows = await reader.all(queries.versions, { siteId, language, order, name, id, limit })
      return rows.map((row) => ({
        id: row.id,
        language: row.language,
        order: row.order_by,
        name: row.name,
        isDraft: row.status === 'draft',
        hideFromSearch: row.hide_from_search === 1,
        editedDate: row.last_edited_date,
      }))
    },
    readSearchText: (siteId, id) => reader.first(queries.searchText, { siteId, id }),
  }
}
