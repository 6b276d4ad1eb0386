import type {
  BrokenLinkEntry,
  Entries,
  LinkChecks,
  ReviewEntry,
  StatusSource,
  SyncStatus,
  UnsentArticle,
} from '../status-source.ts'
import { type DateSpan, monthsAround } from './calendar.ts'
import { type AgeSummary, createAgeCounter } from './summarize-ages.ts'
import { type BrokenLinkSummary, createBrokenLinkCounter, type LinkScope } from './summarize-broken-links.ts'
import { type CategoryCounter, type CategorySummary, createCategoryCounter } from './summarize-categories.ts'
import { createReviewCounter, type ReviewScope, type ReviewSummary } from './summarize-reviews.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { createLeast, type Listing } from './least.ts'

export interface StatusScope {
  /** Whole months before and after the current one whose days are counted separately. */
  readonly monthsBefore: number
  readonly monthsAfter: number
  /** Maximum number of entries in each list of reviews and of articles that were not sent. */
  readonly listed: number
  readonly links: LinkScope
}

export interface StatusSummary {
  /** Calendar date in UTC. */
  readonly today: string
  readonly dueWithinDays: number
  /** Days that `reviews` counts separately. */
  readonly span: DateSpan
  readonly articles: { readonly published: number; readonly drafts: number }
  /** ISO 8601; undefined if unknown. */
  readonly lastChange: string | undefined
  /** Undefined if this process does not sync. */
  readonly sync: SyncSummary | undefined
  readonly reviews: ReviewSummary
  /** Time since the last change. */
  readonly ages: AgeSummary
  readonly categories: readonly CategorySummary[]
  readonly brokenLinks: BrokenLinkSummary
  readonly linkChecks: LinkChecks
}

/** Summarises the health of a knowledge base, reading each list once. */
export async function summarizeStatus(source: StatusSource, scope: StatusScope): Promise<StatusSummary> {
  const today = source.now().toISOString().slice(0, 10)
  const { monthsBefore, monthsAfter, listed } = scope
  const dueWithinDays = source.dueWithinDays()
  const span = monthsAround(today, monthsBefore, monthsAfter)
  const sync = source.sync()
  const categories = createCategoryCounter()
  const counts = await source.countArticles()
  const articles = await summarizeArticles(
    source.articles({ today, dueWithinDays, listed }),
    { today, dueWithinDays, span, listed },
    categories,
  )
  const brokenLinks = await summarizeLinks(source.brokenLinks(), scope.links, categories)
  return {
    today,
    dueWithinDays,
    span,
    articles: counts,
    ...articles,
    categories: categories.summary(),
    lastChange: await source.lastChange(),
    sync: sync === undefined ? undefined : summarizeSync(sync, listed),
    brokenLinks,
    linkChecks: await source.linkChecks(),
  }
}

async function summarizeArticles(
  articles: ReturnType<StatusSource['articles']>,
  scope: ReviewScope,
  categories: CategoryCounter,
): Promise<Pick<StatusSummary, 'reviews' | 'ages'>> {
  const reviews = createReviewCounter<ReviewEntry>(scope)
  const ages = createAgeCounter(scope.today)
  const known = await articles
  if ('kind' in known) {
    for (const { date, count } of known.reviewDates) reviews.count(date, count)
    for (const { date, count } of known.lastChanges) ages.add(date, count)
    for (const counts of known.categories) categories.addCounts(counts)
    for (const entry of known.first) reviews.name(entry)
  } else {
    for await (const article of known) {
      ages.add(article.lastChange)
      categories.addArticle(article.categories, reviews.add(article))
    }
  }
  return { reviews: reviews.summary(), ages: ages.summary() }
}

async function summarizeLinks(
  links: Entries<BrokenLinkEntry>,
  scope: LinkScope,
  categories: CategoryCounter,
): Promise<BrokenLinkSummary> {
  const counter = createBrokenLinkCounter(scope)
  for await (const link of links) {
    counter.add(link)
    categories.addBrokenLinks(link.categories ?? [])
  }
  return counter.summary()
}

export interface SyncSummary extends Omit<SyncStatus, 'failures' | 'heldBack'> {
  /** Sorted by file. */
  readonly failures: Listing<UnsentArticle>
  readonly heldBack: Listing<UnsentArticle>
  /** True if the target matches the files. */
  readonly isClean: boolean
}

export function summarizeSync(status: SyncStatus, listed: number): SyncSummary {
  const { state, lastSync, pending, orphans } = status
  const failures = shorten(status.failures, listed)
  const heldBack = shorten(status.heldBack, listed)
  const isQuiet = state === 'synced' && lastSync !== undefined && pending === 0
  const isClean = isQuiet && failures.total === 0 && heldBack.total === 0 && orphans === 0
  return { ...status, failures, heldBack, isClean }
}

function shorten(articles: readonly UnsentArticle[], listed: number): Listing<UnsentArticle> {
  const least = createLeast<UnsentArticle>(listed, (a, b) => compareTexts(a.file, b.file))
  for (const article of articles) least.add(article)
  return { total: articles.length, entries: least.list() }
}

/** The data of the review charts. */
export interface ReviewFigures extends Pick<StatusSummary, 'today' | 'dueWithinDays' | 'span'> {
  readonly reviews: Pick<ReviewSummary, 'overdue' | 'due' | 'before' | 'days' | 'months'>
}
