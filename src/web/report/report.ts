// What `kb report` says, as data. Lists are complete up to REPORT_LIST_LIMIT entries each, counts always: a target may
// list a million articles, and memory must not follow.
import type { Span } from '../../core/model/diagnostic.ts'
import type { ThresholdName } from '../../core/model/threshold.ts'
import type { AgeSummary } from '../dashboard/summary/summarize-ages.ts'
import type { CategorySummary } from '../dashboard/summary/summarize-categories.ts'
import type { BrokenLinkSummary } from '../dashboard/summary/summarize-broken-links.ts'
import type { ReviewStatus, ReviewSummary } from '../dashboard/summary/summarize-reviews.ts'
import type { Listing } from '../dashboard/summary/least.ts'
import type { DateSpan } from '../dashboard/summary/calendar.ts'

/** Entries of one list; what goes beyond is counted only. */
export const REPORT_LIST_LIMIT = 50_000

/** Someone to ask about an article. There is no e-mail address unless it was asked for. */
export interface Owner {
  readonly name: string
  readonly email?: string
}

/** An article on the target, and what is known of it here. */
export interface ReportedArticle {
  /** Id on the target. */
  readonly id: string
  /** As the target has it, up to 300 characters. */
  readonly title: string
  readonly isDraft: boolean
  /** Language code. */
  readonly language: string
  /** Relative to the project, with `/`; undefined where no file owns the article. */
  readonly file: string | undefined
  /** Its address for readers, as `links.article` makes it; undefined where no file owns the article. */
  readonly url: string | undefined
  /** Paths of names such as `Guides/Accounts`; empty where no file owns the article. */
  readonly categories: readonly string[]
  /** Only where owners were asked for. */
  readonly owners?: readonly Owner[]
}

export interface ReviewFinding extends ReportedArticle {
  readonly standing: ReviewStatus
  /** Calendar date on the target; '' where it has none (undated). */
  readonly date: string
  /** Days from today to the date, below 0 where it has passed; undefined for `never` and `undated`. */
  readonly days: number | undefined
  /** Where to change it in the file: its reviewDate, else the beginning of the frontmatter. */
  readonly place: Span | undefined
  /** The date that the file names, where the target has another one: it was not sent yet. */
  readonly fileDate: string | undefined
  /** Whether the baseline accepts it. */
  readonly isAccepted: boolean
}

/** Where an address stands in the Markdown. */
export interface LinkPlace extends Span {
  /** Relative to the project: the article's own file, or one that it includes. */
  readonly file: string
}

export interface LinkFinding {
  readonly article: ReportedArticle
  /** As the target lists it, with its HTML entities resolved; up to 2,000 characters. */
  readonly url: string
  /** Host, with its port; '' for an address within the knowledge base, and `mailto:` or the like for others without host. */
  readonly host: string
  /** All places in the article's files; empty where the address is not in them (any more) or no file owns the article. */
  readonly places: readonly LinkPlace[]
  /** Whether the baseline accepts it. */
  readonly isAccepted: boolean
}

/** Target and local check see a link in two ways. */
export interface LinkDisagreement extends Omit<LinkFinding, 'isAccepted'> {
  readonly targetSays: 'works' | 'broken'
  readonly localSays: 'works' | 'broken'
  /** What the local check saw, in plain words: `404 Not Found`, `an article of this folder`. */
  readonly reason: string
}

/** An article on the target without a file. */
export interface UnownedArticle extends Omit<ReportedArticle, 'file' | 'url' | 'categories'> {
  /**
   * `orphan`: kb-sync created it, and no file wants it any more (the file is gone, or has another article); `foreign`:
   * someone else did, as far as is known.
   */
  readonly kind: 'orphan' | 'foreign'
}

/** A translation that was not changed since its original was. */
export interface OutdatedTranslation {
  readonly title: string
  readonly language: string
  /** Relative to the project. */
  readonly file: string
  readonly original: string
  /** Calendar date of the commit that changed the original; undefined where that is not committed yet. */
  readonly originalChanged: string | undefined
  /** Calendar date of the translation's last change. */
  readonly translated: string
  readonly place: Span
  /** What shows the difference. */
  readonly hint: string
}

/** What one report counted. */
export interface ReportCounts {
  /** Articles in files. */
  readonly files: number
  /** Those of them that were found on the target. */
  readonly onTarget: number
  readonly overdue: number
  readonly due: number
  readonly later: number
  readonly never: number
  readonly undated: number
  /** Links that the target lists, and those among them that it calls broken; ignored ones are left out of both. */
  readonly links: number
  readonly broken: number
  readonly ignoredLinks: number
  readonly disagreements: number
  /** Links that the target calls working, and that are broken as seen from here. */
  readonly brokenHere: number
  readonly unowned: number
  /** False where the target lists so many articles that `unowned` is the least it can be. */
  readonly isUnownedExact: boolean
  readonly outdatedTranslations: number
  /** Overdue articles and broken links that the baseline accepts. */
  readonly acceptedOverdue: number
  readonly acceptedBroken: number
}

/** One earlier report, in numbers. */
export interface HistoryPoint extends Pick<
  ReportCounts,
  'overdue' | 'due' | 'broken' | 'unowned' | 'outdatedTranslations'
> {
  /** ISO 8601 */
  readonly at: string
}

/** What became of single findings since the last report; names are those of files, else titles. */
export interface ReportChanges {
  /** When the last report was made, ISO 8601. */
  readonly since: string
  readonly newlyOverdue: Listing<string>
  readonly reviewed: Listing<string>
  readonly newlyBroken: Listing<ChangedLink>
  readonly fixed: Listing<ChangedLink>
}

export interface ChangedLink {
  /** File, else title, of the article. */
  readonly article: string
  readonly url: string
}

/** Where owners of articles are looked up. */
export const OWNER_SOURCES = ['target', 'codeowners', 'git'] as const
export type OwnerSource = (typeof OWNER_SOURCES)[number]

/** What of them is shown. */
export const OWNERS_SHOWN = ['names', 'email'] as const
export type OwnersShown = (typeof OWNERS_SHOWN)[number]

/** A limit that was passed: the command ends with exit code 1. What the baseline accepts does not count. */
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
  /** Calendar date in UTC: all dates are judged by it. */
  readonly today: string
  readonly dueWithinDays: number
  readonly counts: ReportCounts
  readonly reviews: {
    /** By date, then title. */
    readonly overdue: Listing<ReviewFinding>
    readonly due: Listing<ReviewFinding>
    readonly later: Listing<ReviewFinding>
    readonly never: Listing<ReviewFinding>
    readonly undated: Listing<ReviewFinding>
    /** Days counted one by one, and the same in sums: what charts are drawn from. */
    readonly span: DateSpan
    readonly summary: ReviewSummary<ReviewFinding>
  }
  readonly links: {
    /** By article, then address. */
    readonly broken: Listing<LinkFinding>
    /** Grouped by host and by article, most first. */
    readonly summary: BrokenLinkSummary<LinkFinding>
    readonly disagreements: Listing<LinkDisagreement>
  }
  readonly unowned: Listing<UnownedArticle>
  readonly translations: Listing<OutdatedTranslation>
  /** By category path; an article in two categories counts in both. */
  readonly categories: readonly CategorySummary[]
  /** Time since the files' last change, by git; undefined where git does not know. */
  readonly ages: AgeSummary | undefined
  /** Undefined on the first report, and where there is no history. */
  readonly changes: ReportChanges | undefined
  /** Earlier reports and this one, oldest first. */
  readonly history: readonly HistoryPoint[]
  readonly exceeded: readonly ExceededThreshold[]
  /** What could not be known, and why: sentences for the reader. */
  readonly notes: readonly string[]
}
