import type { Kysely } from 'kysely'
import type { ReaderStore } from './reader-data.ts'
import { groupBy } from '../../util/group-by.ts'
import { readerReportQueries } from './reader-report-queries.ts'
import type { Session } from './session.ts'
import type { Tables } from './tables.ts'

type ReaderReports = Pick<
  ReaderStore,
  | 'countByStatus'
  | 'lastChange'
  | 'listArticleStandings'
  | 'listBrokenLinks'
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
    async listArticleStandings(siteId, { language, order, name, id }, limit) {
      const piece = { siteId, language, order, name, id, limit }
      const rows = await reader.all(queries.standings, piece)
      const members = await reader.all(queries.standingCategories, piece)
      const categoriesOf = groupBy(members, ({ article_id }) => article_id)
      return rows.map((row) => ({
        id: row.id,
        language: row.language,
        order: row.order_by,
        name: row.name,
        slug: row.slug,
        isDraft: row.status === 'draft',
        reviewDate: row.review_date,
        editedDate: row.last_edited_date,
        categoryIds: (categoriesOf.get(row.id) ?? []).map(({ category_id }) => category_id),
      }))
    },
    async listBrokenLinks(siteId, { target, id }, limit) {
      const piece = { siteId, target, id, limit }
      const rows = await reader.all(queries.brokenLinks, piece)
      const members = await reader.all(queries.brokenLinkCategories, piece)
      const categoriesOf = groupBy(members, ({ article_id }) => article_id)
      return rows.map(({ article_id: articleId, ...row }) => ({
        ...row,
        categoryIds: (categoriesOf.get(articleId) ?? []).map(({ category_id }) => category_id),
      }))
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
