import { setImmediate as turn } from 'node:timers/promises'
import {
  LIST_START,
  SITEMAP_SLICE,
  type SitemapArticle,
  type SitePlace,
  type BrokenLinkPlace,
} from './reader-data.ts'
import { groupBy } from '../../core/group-by.ts'
import { type PlacedArguments, readerArticleQueries } from './reader-article-queries.ts'
import { type DueAfter, readerReportQueries } from './reader-report-queries.ts'
import type { LinkStore } from './link-store.ts'
import type { Session } from './query.ts'

/** Number of articles whose categories are counted in one slice. */
const DUE_AT_ONCE = 5000

/** Queries over all articles of a site. */
export function createReaderReports(reader: Session, links: Pick<LinkStore, 'catchUpBriefly'>) {
  return {
    ...createSitemapReports(reader),
    async countByStatus(siteId: string) {
      const rows = await reader.all(readerReportQueries.byStatus, { siteId })
      const count = (wanted: string) => rows.find(({ status }) => status === wanted)?.articles ?? 0
      return { published: count('published'), drafts: count('draft') }
    },
    /** '' if there are no articles. */
    lastChange: async (siteId: string) =>
      (await reader.first(readerReportQueries.lastChange, { siteId }))?.date ?? '',
    countReviewDays: (siteId: string) => reader.all(readerReportQueries.reviewDays, { siteId }),
    countEditDays: (siteId: string) => reader.all(readerReportQueries.editDays, { siteId }),
    /** Returns articles with a review date in a range of days, or without one, sorted by date, then age. */
    async listFirstReviews(
      siteId: string,
      days: { readonly from: string; readonly before: string } | undefined,
      limit: number,
    ) {
      const rows =
        days === undefined
          ? await reader.all(readerReportQueries.firstUndated, { siteId, limit })
          : await reader.all(readerReportQueries.firstReviews, { siteId, ...days, limit })
      return rows.map(({ status, ...row }) => ({ ...row, isDraft: status === 'draft' }))
    },
    /** Works in slices. An article due on `today` is not overdue; one due on `before` or later is neither. */
    countCategoryLoads: (siteId: string, days: { readonly today: string; readonly before: string }) =>
      countCategoryLoads(reader, siteId, days),
    /** Returns the broken links of one site, grouped by target. */
    async listBrokenLinks(siteId: string, { target, number }: BrokenLinkPlace, limit: number) {
      if (number === 0) await links.catchUpBriefly(siteId)
      const piece = { siteId, target, number, limit }
      const rows = await reader.all(readerReportQueries.brokenLinks, piece)
      const members = await reader.all(readerReportQueries.brokenLinkCategories, piece)
      const categoriesOf = groupBy(members, ({ article_id }) => article_id)
      return rows.map(({ article_id: articleId, ...row }) => ({
        ...row,
        categoryIds: (categoriesOf.get(articleId) ?? []).map(({ category_id }) => category_id),
      }))
    },
    async countLinks(siteId: string) {
      await links.catchUpBriefly(siteId)
      return {
        links: (await reader.first(readerReportQueries.links, { siteId }))?.count ?? 0,
        unchecked: (await reader.first(readerReportQueries.uncheckedLinks, { siteId }))?.count ?? 0,
      }
    },
  }
}

function createSitemapReports(reader: Session) {
  const findPlace = (siteId: string, { language, order, name, id }: SitePlace, count: number) => {
    const from = { siteId, language, order, name, id, limit: 1 }
    return reader.first(readerReportQueries.indexedPlace, { ...from, skip: count - 1 })
  }
  return {
    /** Returns the position of the last of `count` of them after a position; undefined if there are fewer. */
    findIndexedPlace: findPlace,
    /** Returns these articles, in the order of positions. */
    listIndexed: (siteId: string, { language, order, name, id }: SitePlace, limit: number) =>
      listIndexed(reader, { siteId, language, order, name, id, limit }),

    /**
     * Counts the published articles that are not hidden from search, and returns the position before each SITEMAP_SLICE
     * of them. Reads all of them, in slices.
     */
    async surveyIndexed(siteId: string) {
      let count = 0
      const starts: SitePlace[] = []
      let place: SitePlace | undefined = { ...LIST_START, language: '' }
      while (place !== undefined) {
        starts.push(place)
        const piece: PlacedArguments = { ...place, siteId, limit: SITEMAP_SLICE }
        count += (await reader.first(readerReportQueries.indexedCount, piece))?.count ?? 0
        place = await findPlace(siteId, place, SITEMAP_SLICE)
        await turn()
      }
      return { count, starts }
    },

    /** Returns the articles of a language that were edited last. */
    async listLatest(siteId: string, language: string, limit: number) {
      let latest: Edited[] = []
      let place: SitePlace | undefined = { ...LIST_START, language }
      while (place?.language === language) {
        const piece: PlacedArguments = { ...place, siteId, limit: SITEMAP_SLICE }
        const some = await reader.all(readerReportQueries.latest, { ...piece, most: limit })
        latest = [...latest, ...some].toSorted(byEditedDate).slice(0, limit)
        place = await findPlace(siteId, place, SITEMAP_SLICE)
        await turn()
      }
      const pages = latest.map(async ({ id, editedDate }) => {
        const row = await reader.first(readerArticleQueries.published.listed, { siteId, id })
        if (row === undefined) return []
        const { order_by: order, status: _published, ...listed } = row
        return [{ ...listed, order, isDraft: false, editedDate }]
      })
      return (await Promise.all(pages)).flat()
    },
  }
}

interface Edited {
  readonly id: string
  readonly editedDate: string
}

/** Last edited first. */
function byEditedDate(a: Edited, b: Edited): number {
  if (a.editedDate !== b.editedDate) return a.editedDate < b.editedDate ? 1 : -1
  return a.id < b.id ? -1 : 1
}

async function listIndexed(reader: Session, piece: PlacedArguments): Promise<SitemapArticle[]> {
  const rows = await reader.all(readerReportQueries.indexed, piece)
  const members = await reader.all(readerReportQueries.indexedFamilies, piece)
  const families = groupBy(members, ({ id, language_parent }) => language_parent ?? id)
  return rows.map(({ id, language, order_by: order, name, slug, language_parent, last_edited_date }) => ({
    id,
    language,
    order,
    name,
    slug,
    editedDate: last_edited_date,
    translations: (families.get(language_parent ?? id) ?? []).filter((each) => each.id !== id),
  }))
}

async function countCategoryLoads(
  reader: Session,
  siteId: string,
  days: { readonly today: string; readonly before: string },
) {
  const loads = new Map<string, { articles: number; overdue: number; due: number }>()
  const add = (id: string, what: 'articles' | 'overdue' | 'due', count: number) => {
    const load = loads.get(id) ?? { articles: 0, overdue: 0, due: 0 }
    loads.set(id, load)
    load[what] += count
  }
  const originals = new Map<string, string>()
  for (const { id, language_parent: original, articles } of await reader.all(
    readerReportQueries.categorySizes,
    { siteId },
  )) {
    originals.set(id, original ?? id)
    add(original ?? id, 'articles', articles ?? 0)
  }
  for (const { original, review_date: date } of await reader.all(readerReportQueries.twiceMembers, {
    siteId,
  })) {
    if (original === null) continue
    add(original, 'articles', -1)
    if (date !== null && date < days.before) add(original, date < days.today ? 'overdue' : 'due', -1)
  }
  let end: Pick<DueAfter, 'date' | 'id'> | undefined = { date: '', id: '' }
  while (end !== undefined) {
    const piece: DueAfter = { siteId, ...days, ...end, limit: DUE_AT_ONCE }
    for (const row of await reader.all(readerReportQueries.dueMembers, piece))
      add(originals.get(row.category_id) ?? '', Number(row.overdue) === 1 ? 'overdue' : 'due', row.articles)
    const last = await reader.first(readerReportQueries.dueEnd, { ...piece, skip: DUE_AT_ONCE - 1 })
    end = last && { ...last, date: last.date ?? '' }
    // Reads are synchronous, so this lets other requests run.
    await turn()
  }
  return [...loads].map(([categoryId, load]) => ({ categoryId, ...load }))
}
