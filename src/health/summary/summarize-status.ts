import type { LinkChecks, StatusSource } from '../status-source.ts'
import { type DateSpan, monthsAround } from './calendar.ts'
import { type BrokenLinkSummary, type LinkOrder, summarizeBrokenLinks } from './summarize-broken-links.ts'
import { type ReviewSummary, summarizeReviews } from './summarize-reviews.ts'
import { type SyncSummary, summarizeSync } from './summarize-sync.ts'

export interface StatusScope {
  readonly dueWithinDays: number
  /** Whole months before and after the present one whose days are counted one by one. */
  readonly monthsBefore: number
  readonly monthsAfter: number
  /** Entries of each list of reviews and of articles that were not sent. */
  readonly listed: number
  readonly links: {
    readonly order: LinkOrder
    readonly host?: string | undefined
    readonly listed: number
    readonly groups: number
    readonly perGroup: number
  }
}

export interface StatusSummary {
  /** Calendar date in UTC. */
  readonly today: string
  readonly dueWithinDays: number
  /** Days that `reviews` counts one by one. */
  readonly span: DateSpan
  readonly articles: { readonly published: number; readonly drafts: number }
  /** Articles that have no review date at all. */
  readonly withoutReview: number
  /** ISO 8601; undefined where it is not known. */
  readonly lastChange: string | undefined
  /** Undefined where this process does not sync. */
  readonly sync: SyncSummary | undefined
  readonly reviews: ReviewSummary
  readonly brokenLinks: BrokenLinkSummary
  readonly linkChecks: LinkChecks
}

/** Everything that is known of a knowledge base's health, in one pass over each list. */
export async function summarizeStatus(source: StatusSource, scope: StatusScope): Promise<StatusSummary> {
  const today = source.now().toISOString().slice(0, 10)
  const { dueWithinDays, monthsBefore, monthsAfter, listed } = scope
  const span = monthsAround(today, monthsBefore, monthsAfter)
  const sync = source.sync()
  const articles = await source.countArticles()
  const reviews = await summarizeReviews(source.reviews(), { today, dueWithinDays, span, listed })
  return {
    today,
    dueWithinDays,
    span,
    articles,
    withoutReview: Math.max(0, articles.published + articles.drafts - reviews.total),
    lastChange: await source.lastChange(),
    sync: sync === undefined ? undefined : summarizeSync(sync, listed),
    reviews,
    brokenLinks: await summarizeBrokenLinks(source.brokenLinks(), scope.links),
    linkChecks: await source.linkChecks(),
  }
}
