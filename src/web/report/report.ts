// The result of `kb report`. Lists have at most REPORT_LIST_LIMIT entries each, counts are complete: a target may have
// a million articles, and memory must stay bounded.
import type { Span } from '../../core/model/diagnostic.ts'
import type { ThresholdName } from '../../core/model/threshold.ts'
import type { AgeSummary } from '../dashboard/summary/summarize-ages.ts'
import type { CategorySummary } from '../dashboard/summary/summarize-categories.ts'
import type { BrokenLinkSummary } from '../dashboard/summary/summarize-broken-links.ts'
import type { ReviewStatus, ReviewSummary } from '../dashboard/summary/summarize-reviews.ts'
import type { Listing } from '../dashboard/summary/least.ts'
import type { DateSpan } from '../dashboard/summary/calendar.ts'

/** Maximum number of entries in one list; others are only counted. */
export const REPORT_LIST_LIMIT = 50_000

/** A person to ask about an article. The email address is included only on request. */
export interface Owner {
  readonly name: string
  readonly email?: string
}

/** An article on the target, with data of the project. */
export interface ReportedArticle {
  /** Id on the target. */
  readonly id: string
  /** Title on the target, up to 300 characters. */
  readonly title: string
  readonly isDraft: boolean
  /** Language code. */
  readonly language: string
  /** Relative to the project, with `/`; undefined if the article has no file. */
  readonly file: string | undefined
  /** Its URL for readers, by `pages.url` and `links.article`; undefined if the article has no file. */
  readonly url: string | undefined
  /** Paths of names such as `Guides/Accounts`; empty if the article has no file. */
  readonly categories: readonly string[]
  /** Only on request. */
  readonly owners?: readonly Owner[]
}

export interface ReviewFinding extends ReportedArticle {
  readonly standing: ReviewStatus
  /** Calendar date on the target; '' if it has none (undated). */
  readonly date: string
  /** Days from today to the date, negative if it is in the past; undefined for `never` and `undated`. */
  readonly days: number | undefined
  /** Position of its reviewDate in the file, otherwise of the frontmatter. */
  readonly place: Span | undefined
  /** The date in the file if the target has another one, because it was not sent yet. */
  readonly fileDate: string | undefined
  /** True if the baseline contains it. */
  readonly isAccepted: boolean
}

/** A position of a URL in the Markdown. */
export interface LinkPlace extends Span {
  /** Relative to the project: the article's own file, or one that it includes. */
  readonly file: string
}

export interface LinkFinding {
  readonly article: ReportedArticle
  /** The URL in the target's list, with HTML entities decoded; up to 2,000 characters. */
  readonly url: string
  /**
   * Host with its port; '' for a URL within the knowledge base, and `mailto:` or the like for others without a host.
   */
  readonly host: string
  /** All positions in the article's files; empty if the URL is not in them or the article has no file. */
  readonly places: readonly LinkPlace[]
  /** Result of the local check if it is broken there, too: `404 Not Found`. */
  readonly reason?: string
  /** True if the baseline contains it. */
  readonly isAccepted: boolean
}

/** A link for which target and local check disagree. */
export interface LinkDisagreement extends Omit<LinkFinding, 'isAccepted'> {
  readonly targetSays: 'works' | 'broken'
  readonly localSays: 'works' | 'broken'
  /** Result of the local check: `404 Not Found`, `an article of this folder`. */
  readonly reason: string
}

/** An article on the target without a file. */
export interface UnownedArticle extends Omit<ReportedArticle, 'file' | 'url' | 'categories'> {
  /**
   * `orphan`: kb-sync created it, and its file was deleted, or used for another article; `foreign`: someone else
   * created it, as far as known.
   */
  readonly kind: 'orphan' | 'foreign'
}

/** An old URL of an article, category or tag, or one declared in the file of an article, that readers still follow. */
export interface UsedRedirect {
  readonly kind: 'article' | 'category' | 'tag'
  /** Its target. A category or tag has a name as its title, and no file. */
  readonly leadsTo: ReportedArticle
  readonly url: string
  readonly isDeclared: boolean
  readonly hits: number
  /** Calendar date; undefined if the target does not state it. */
  readonly lastUsed: string | undefined
  /** Position of the alias in the file; undefined for the former slug of an article. */
  readonly place: LinkPlace | undefined
}

/** A translation that is older than the last change of its original. */
export interface OutdatedTranslation {
  readonly title: string
  readonly language: string
  /** Relative to the project. */
  readonly file: string
  readonly original: string
  /** Calendar date of the commit that changed the original; undefined if it is not committed yet. */
  readonly originalChanged: string | undefined
  /** Calendar date of the translation's last change. */
  readonly translated: string
  readonly place: Span
  /** A command that shows the differences. */
  readonly hint: string
}

export interface ReportCounts extends Pick<ReviewSummary, 'overdue' | 'due' | 'later' | 'never' | 'undated'> {
  /** Number of articles with a file. */
  readonly files: number
  /** Number of them found on the target. */
  readonly onTarget: number
  /** Number of links on the target, and of those that it reports as broken, both without ignored ones. */
  readonly links: number
  readonly broken: number
  readonly ignoredLinks: number
  readonly disagreements: number
  /** Number of links that the target reports as working and the local check as broken. */
  readonly brokenHere: number
  readonly unowned: number
  /** False if the target has so many articles that `unowned` is a minimum. */
  readonly isUnownedExact: boolean
  /** Undefined if git does not know. */
  readonly outdatedTranslations?: number | undefined
  /** Number of overdue articles, and of broken links, that the baseline contains. */
  readonly acceptedOverdue: number
  readonly acceptedBroken: number
}

export interface HistoryPoint extends Pick<
  ReportCounts,
  'overdue' | 'due' | 'broken' | 'unowned' | 'outdatedTranslations'
> {
  /** ISO 8601 */
  readonly at: string
}

/** Findings added and fixed since the last report, by file, otherwise title. */
export interface ReportChanges {
  /** Time of the last report, ISO 8601. */
  readonly since: string
  readonly newlyOverdue: Listing<string>
  readonly reviewed: Listing<string>
  readonly newlyBroken: Listing<ChangedLink>
  readonly fixed: Listing<ChangedLink>
}

export interface ChangedLink {
  /** File of the article, otherwise its title. */
  readonly article: string
  readonly url: string
}

export const OWNER_SOURCES = ['target', 'codeowners', 'git'] as const
export type OwnerSource = (typeof OWNER_SOURCES)[number]

/** The displayed parts of an owner. */
export const OWNERS_SHOWN = ['names', 'email'] as const
export type OwnersShown = (typeof OWNERS_SHOWN)[number]

/** An exceeded limit, which ends the command with exit code 1. Findings in the baseline do not count. */
export interface ExceededThreshold {
  readonly name: ThresholdName
  readonly count: number
  readonly allowed: number
}

export interface Report {
  readonly version: 1
  readonly project: string
  /** Name of the target. */
  readonly target: string
  /** ISO 8601, UTC. */
  readonly generatedAt: string
  /** Calendar date in UTC, compared with all dates. */
  readonly today: string
  readonly dueWithinDays: number
  readonly counts: ReportCounts
  readonly reviews: {
    /** Sorted by date, then title. */
    readonly overdue: Listing<ReviewFinding>
    readonly due: Listing<ReviewFinding>
    readonly later: Listing<ReviewFinding>
    readonly never: Listing<ReviewFinding>
    readonly undated: Listing<ReviewFinding>
    /** Days counted separately, and their sums: the data of charts. */
    readonly span: DateSpan
    readonly summary: ReviewSummary<ReviewFinding>
  }
  readonly links: {
    /** Sorted by article, then URL. */
    readonly broken: Listing<LinkFinding>
    /** Grouped by host and by article, most first. */
    readonly summary: BrokenLinkSummary<LinkFinding>
    readonly disagreements: Listing<LinkDisagreement>
  }
  readonly unowned: Listing<UnownedArticle>
  /** Undefined if git does not know. */
  readonly translations: Listing<OutdatedTranslation> | undefined
  /** Most used first; undefined if the target does not count them. */
  readonly redirects: Listing<UsedRedirect> | undefined
  /** By category path. An article in two categories counts in both. */
  readonly categories: readonly CategorySummary[]
  /** Time since the last change of the files, from git; undefined if git does not know. */
  readonly ages: AgeSummary | undefined
  /** Undefined for the first report, and without a history. */
  readonly changes: ReportChanges | undefined
  /** Earlier reports and this one, oldest first. */
  readonly history: readonly HistoryPoint[]
  readonly exceeded: readonly ExceededThreshold[]
  /** Sentences about what could not be determined, and why. */
  readonly notes: readonly string[]
}
