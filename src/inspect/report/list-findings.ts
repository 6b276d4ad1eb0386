import {
  createCategoryCounter,
  type CategorySummary,
} from '../../web/dashboard/summary/summarize-categories.ts'
import type { ReviewSummary } from '../../web/dashboard/summary/summarize-reviews.ts'
import { byTitle } from './join/unowned-list.ts'
import type { KnownFile } from './join/known-files.ts'
import type { TargetRead } from './read-target.ts'
import {
  type Listing,
  REPORT_LIST_LIMIT,
  type Report,
  type ReviewFinding,
  type UnownedArticle,
} from './report.ts'

/** The lists of a report, from what was read. Pure. */
export function listReviews(
  summary: ReviewSummary<ReviewFinding>,
): Omit<Report['reviews'], 'span' | 'summary'> {
  return {
    overdue: { total: summary.overdue, entries: summary.longestOverdue },
    due: { total: summary.due, entries: summary.dueNext },
    later: { total: summary.later, entries: summary.laterNext },
    never: { total: summary.never, entries: summary.neverDue },
    undated: { total: summary.undated, entries: summary.withoutDate },
  }
}

/** Articles that no file owns: of the review-dates list, and those that only the list of links names. */
export function listUnowned({ reviews, links, identified }: TargetRead): Listing<UnownedArticle> & {
  /** False where the lists are so long that nobody can say which articles stand in both. */
  readonly isExact: boolean
} {
  const { total, entries } = reviews.unowned
  const isExact = total <= REPORT_LIST_LIMIT && links.others.size < REPORT_LIST_LIMIT
  if (total > REPORT_LIST_LIMIT) return { total, entries, isExact }
  const orphanIds = new Set(identified.orphans.map(({ id }) => id))
  const others = [...links.others.values()].map(
    ({ file: _file, url: _url, categories: _categories, ...article }): UnownedArticle => ({
      ...article,
      kind: orphanIds.has(article.id) ? 'orphan' : 'foreign',
    }),
  )
  const all = [...entries, ...others].toSorted(byTitle)
  return { total: all.length, entries: all.slice(0, REPORT_LIST_LIMIT), isExact }
}

/** Totals by category, of articles in files. */
export function countCategories(
  files: readonly KnownFile[],
  { reviews, links }: TargetRead,
): readonly CategorySummary[] {
  const counter = createCategoryCounter()
  for (const { source, categories } of files) {
    counter.addArticle(categories, reviews.standings.get(source))
    const broken = links.brokenBySource.get(source) ?? 0
    if (broken > 0) counter.addBrokenLinks(categories, broken)
  }
  return counter.summary()
}
