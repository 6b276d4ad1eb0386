import type { LenientAuthoredEntry } from '../../../api/contract/lenient.ts'
import { NEVER_DATE } from '../../../core/calendar-date.ts'
import { toCalendarDate } from '../../../core/timestamp.ts'
import type { LocalArticle, Review } from '../../../core/model/document.ts'
import { toDayNumber } from '../../../web/dashboard/summary/calendar.ts'
import {
  createReviewCounter,
  createReviewJudge,
  type ReviewScope,
  type ReviewStatus,
  type ReviewSummary,
} from '../../../web/dashboard/summary/summarize-reviews.ts'
import {
  type Owner,
  REPORT_LIST_LIMIT,
  type ReportedArticle,
  type ReviewFinding,
  type UnownedArticle,
} from '../../../web/report/report.ts'
import type { Join, KnownFile } from './join.ts'
import { createLeast, type Listing } from '../../../web/dashboard/summary/least.ts'
import { memoize } from '../../../core/memoize.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { FRONTMATTER_START } from '../../../content/source/source-problem.ts'

export interface ReviewTask {
  readonly join: Join
  readonly scope: Omit<ReviewScope, 'listed'>
  /** Called only for overdue articles. */
  readonly isAccepted: (finding: Omit<ReviewFinding, 'isAccepted'>) => boolean
  /** Undefined if owners are not shown. */
  readonly ownersOf:
    | ((entry: LenientAuthoredEntry, file: KnownFile | undefined) => readonly Owner[])
    | undefined
}

/** The contents of the list of review dates. */
export interface ReviewsFound {
  readonly summary: ReviewSummary<ReviewFinding>
  /** Overdue articles that the baseline accepts. */
  readonly accepted: number
  /** By id: all with a file, and as many others as a list may contain. */
  readonly articles: ReadonlyMap<string, ReportedArticle>
  readonly unowned: Listing<UnownedArticle>
  /** Number of articles whose date is unreadable. They count as undated. */
  readonly unreadable: number
  /** True if every article of the list, selected or not, has or had a file. */
  readonly hasNoOthers: boolean
  /** By source. */
  readonly standings: ReadonlyMap<string, ReviewStatus>
}

/**
 * Combines the review-dates list with the files, entry by entry. An article that is listed twice is counted once,
 * unless more than REPORT_LIST_LIMIT articles have no file.
 */
export function collectReviews({ join, scope, isAccepted, ownersOf }: ReviewTask) {
  const counter = createReviewCounter<ReviewFinding>({ ...scope, listed: REPORT_LIST_LIMIT })
  const judge = createJudgeReview(scope)
  const articles = new Map<string, ReportedArticle>()
  const standings = new Map<string, ReviewStatus>()
  const unowned = createUnownedList(join.orphanIds)
  let others = 0
  let accepted = 0
  let unreadable = 0
  let hasNoOthers = true

  return {
    add: (entry: LenientAuthoredEntry) => {
      const { id, name: title, status, language } = entry
      if (articles.has(id)) return
      const file = join.fileOf(id)
      if (file === undefined && !join.orphanIds.has(id)) hasNoOthers = false
      if (!join.isOfInterest(file)) return
      const listed = { id, title, isDraft: status === 'draft', language: join.languageOf(language) }
      const article = join.toArticle(listed, file, ownersOf?.(entry, file))
      if (file !== undefined || others < REPORT_LIST_LIMIT) articles.set(id, article)
      if (file === undefined) {
        others += 1
        unowned.add(article)
      }
      const judged = judge(entry.article_review_date, file?.document)
      const finding = { ...article, ...judged, isAccepted: false }
      if (finding.standing === 'overdue') finding.isAccepted = isAccepted(finding)
      counter.add(finding)
      if (finding.date === '' && (entry.article_review_date ?? '').trim() !== '') unreadable += 1
      if (finding.isAccepted) accepted += 1
      if (file !== undefined) standings.set(file.source, finding.standing)
    },
    has: (id: string) => articles.has(id),
    found: (): ReviewsFound => ({
      summary: counter.summary(),
      accepted,
      articles,
      unowned: { total: others, entries: unowned.list() },
      unreadable,
      hasNoOthers,
      standings,
    }),
  }
}

type Judged = Pick<ReviewFinding, 'standing' | 'date' | 'days' | 'place' | 'fileDate'>

/** Creates a function that returns the status of a review by its date on the target and in the file. */
function createJudgeReview(
  scope: Pick<ReviewScope, 'today' | 'dueWithinDays'>,
): (timestamp: string | undefined, document: LocalArticle | undefined) => Judged {
  const standingOf = createReviewJudge(scope)
  const today = toDayNumber(scope.today)
  const statusOf = memoize((date: string) => {
    const standing = standingOf(date)
    const isDated = standing !== 'never' && standing !== 'undated'
    return { standing, days: isDated ? toDayNumber(date) - today : undefined }
  })
  return (timestamp, document) => {
    const date = toCalendarDate(timestamp ?? '') ?? ''
    const { standing, days } = statusOf(date)
    const written = document === undefined ? undefined : dateOf(document.review)
    return {
      standing,
      date,
      days,
      place: document && (document.positions['reviewDate'] ?? FRONTMATTER_START),
      fileDate: written === date ? undefined : written,
    }
  }
}

/** Returns the date in a file; undefined if the target sets it. */
function dateOf(review: Review): string | undefined {
  if (review.kind === 'default') return undefined
  return review.kind === 'never' ? NEVER_DATE : review.date
}

/** Collects articles without a file. @param orphanIds ids of those that kb-sync created */
function createUnownedList(orphanIds: ReadonlySet<string>) {
  const least = createLeast<UnownedArticle>(REPORT_LIST_LIMIT, byTitle)
  return {
    add: ({ file: _file, url: _url, categories: _categories, ...article }: ReportedArticle) =>
      least.add({ ...article, kind: orphanIds.has(article.id) ? 'orphan' : 'foreign' }),
    /** Sorted by title. */
    list: least.list,
  }
}

export function byTitle(a: Pick<ReportedArticle, 'title' | 'id'>, b: Pick<ReportedArticle, 'title' | 'id'>) {
  return compareTexts(a.title, b.title) || compareTexts(a.id, b.id)
}
