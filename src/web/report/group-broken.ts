// Groups broken links by how they are fixed: by article, and once for a file that several articles include.
import { groupBy, sumOf } from '../../core/group-by.ts'
import type { Owner } from './report.ts'
import { inReadingOrder, type ReportRow, type RowArticle } from './report-rows.ts'

/** One URL with its positions to fix, and all articles with the link. */
interface BrokenSpot extends ReportRow {
  /** Number of links that the target lists for it. */
  readonly links: number
}

/** The broken links of one article, or of one file that several include. */
export type BrokenGroup = ReturnType<typeof toGroup>

/** Merges links that one edit fixes, in the order of the first of each. */
export function mergeBroken(rows: readonly ReportRow[]): readonly BrokenSpot[] {
  return [...groupBy(rows, spotKey).values()].flatMap((all) => {
    const articles = eachOnce(all.flatMap((row) => row.articles))
    return all.slice(0, 1).map((first) => ({ ...first, articles, links: all.length }))
  })
}

/** Groups links. Groups with the most to fix come first, accepted ones last. */
export function groupBroken(rows: readonly ReportRow[]): readonly BrokenGroup[] {
  return [...groupBy(mergeBroken(rows), groupKey).values()]
    .map(toGroup)
    .toSorted((a, b) => countOpen(b) - countOpen(a) || b.links - a.links)
}

export function ownersOf(articles: readonly RowArticle[]): readonly Owner[] {
  return articles.flatMap(({ owners = [] }) => owners)
}

function toGroup(spots: readonly BrokenSpot[]) {
  const shared = spots.find(({ articles }) => articles.length > 1)
  return {
    articles: eachOnce(spots.flatMap(({ articles }) => articles)),
    /** The file that they include; undefined for a single article. */
    shared: shared?.places[0]?.file,
    spots: inReadingOrder(spots),
    links: sumOf(spots, ({ links }) => links),
  }
}

function countOpen({ spots }: BrokenGroup): number {
  return sumOf(spots, ({ isAccepted, links }) => (isAccepted ? 0 : links))
}

function spotKey({ article, url, places, isAccepted }: ReportRow): string {
  const where =
    places.length === 0 ? [article.id] : places.map(({ file, line, column }) => `${file}:${line}:${column}`)
  return JSON.stringify([isAccepted, url, ...where])
}

function groupKey({ articles, article, places: [place] }: BrokenSpot): string {
  return articles.length > 1 ? `file ${place?.file}` : `article ${article.id}`
}

function eachOnce(articles: readonly RowArticle[]): readonly RowArticle[] {
  return [...new Map(articles.map((article) => [article.id, article])).values()]
}
