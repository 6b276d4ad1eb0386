// The status of a knowledge base: reviews and links of its articles, and the last sync if this process syncs. Lists may
// be long: they are iterables, and are counted while they are read.

/** Replaces an empty title. */
export const NO_TITLE = '(no title)'

/** A list that may be too long for memory. It can be read once. */
export type Entries<T> = AsyncIterable<T> | Iterable<T>

export interface ReviewEntry {
  readonly title: string
  /** Calendar date `YYYY-MM-DD`; `9999-12-31` means never, '' no date. */
  readonly date: string
  readonly isDraft: boolean
  /** Language code. */
  readonly language: string
  /** URL of its page; undefined if unknown. */
  readonly url: string | undefined
  /** File relative to the project; undefined if this process has no files. */
  readonly file: string | undefined
}

/** An article with the fields that are counted. */
export interface ArticleEntry extends ReviewEntry {
  /** Calendar date of the last change, in UTC; undefined if unknown. */
  readonly lastChange: string | undefined
  /** Paths of names such as `Guides/Accounts`. */
  readonly categories: readonly string[]
}

/** The boundaries of counts, and the number of articles in lists. */
export interface CountScope {
  /** Calendar date in UTC; a review due on it is not overdue yet. */
  readonly today: string
  /** Reviews within this number of days after today are due. */
  readonly dueWithinDays: number
  /** Maximum number of listed articles for each status. */
  readonly listed: number
}

/** Number of articles with a date `YYYY-MM-DD`; '' without one. */
interface DateCount {
  readonly date: string
  readonly count: number
}

export interface CategoryCounts {
  /** Path of names such as `Guides/Accounts`. */
  readonly category: string
  readonly articles: number
  readonly overdue: number
  readonly due: number
}

/** Counts for a page if there are too many articles to read each. */
export interface ArticleCounts {
  readonly kind: 'counts'
  readonly reviewDates: readonly DateCount[]
  readonly lastChanges: readonly DateCount[]
  /** An article counts in each of its categories. */
  readonly categories: readonly CategoryCounts[]
  /** The first articles of each status, sorted by date, then title. */
  readonly first: readonly ReviewEntry[]
}

export interface BrokenLinkEntry {
  readonly url: string
  /** HTTP status or reason of the last check; '' if unknown. */
  readonly reason: string
  readonly article: Pick<ReviewEntry, 'title' | 'url' | 'file'>
  /** Line in the file, from 1; undefined if unknown. */
  readonly line?: number | undefined
  readonly categories?: readonly string[]
}

/** Tells whether this process checks links. */
export type LinkChecks =
  | { readonly kind: 'off' }
  /** `links`: number of links; `unchecked`: those not checked yet. */
  | { readonly kind: 'on'; readonly links: number; readonly unchecked: number }

/** An article that does not match its file on the target, and the reason. */
export interface UnsentArticle {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** Undefined if the file could not be parsed that far. */
  readonly title: string | undefined
  /** In plain words, on one line. */
  readonly reason: string
  /** Line of the problem in the file, from 1; undefined if it is elsewhere. */
  readonly line: number | undefined
  /** Its column, in UTF-16 code units from 1. */
  readonly column?: number | undefined
  /** URL of its page; undefined if it has none. */
  readonly url: string | undefined
}

/** The state of the sync, if this process syncs. */
export interface SyncStatus {
  readonly target: string
  /** `offline`: the target does not respond, or the files cannot be read, and changes wait. */
  readonly state: 'synced' | 'syncing' | 'offline'
  /** End of the last run, ISO 8601; undefined before it. */
  readonly lastSync: string | undefined
  /** Number of changed files waiting to be sent, including categories and tags. */
  readonly pending: number
  /** Articles sent since the start. */
  readonly sent: number
  /** Articles that could not be sent, including conflicts. */
  readonly failures: readonly UnsentArticle[]
  /** Articles held back because of errors. */
  readonly heldBack: readonly UnsentArticle[]
  /** Number of articles of this project on the target without a file. */
  readonly orphans: number
}

export interface StatusSource {
  readonly now: () => Date
  /** Undefined if this process does not sync. */
  readonly sync: () => SyncStatus | undefined
  readonly countArticles: () => Promise<{ readonly published: number; readonly drafts: number }>
  /** Last change of any article, ISO 8601; undefined if unknown or if there is none. */
  readonly lastChange: () => Promise<string | undefined>
  /** Reviews within this number of days after today are due. */
  readonly dueWithinDays: () => number
  /** All articles in any order, or their counts. */
  readonly articles: (scope: CountScope) => Entries<ArticleEntry> | Promise<ArticleCounts>
  /** In any order. */
  readonly brokenLinks: () => Entries<BrokenLinkEntry>
  readonly linkChecks: () => Promise<LinkChecks>
}
