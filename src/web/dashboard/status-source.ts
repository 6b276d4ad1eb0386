// What is known of a knowledge base's health: of its articles' reviews and links, and of the last sync, where this
// process is the one that syncs. Lists may be long: they come as iterables and are counted on the way.

/** Stands for a title that is empty. */
export const NO_TITLE = '(no title)'

/** A list that may be too long to be held: it is walked through once. */
export type Entries<T> = AsyncIterable<T> | Iterable<T>

/** An article, and when it is to be reviewed. */
export interface ReviewEntry {
  readonly title: string
  /** Calendar date `YYYY-MM-DD`; `9999-12-31` stands for never (design: `never`), '' for none. */
  readonly date: string
  readonly isDraft: boolean
  /** Language code. */
  readonly language: string
  /** Address of its page; undefined where it is not known. */
  readonly url: string | undefined
  /** File relative to the project; undefined where the files are elsewhere. */
  readonly file: string | undefined
}

/** An article, and what is counted of it. */
export interface ArticleEntry extends ReviewEntry {
  /** Calendar date of the last change, in UTC; undefined where it is not known. */
  readonly lastChange: string | undefined
  /** Paths of names such as `Guides/Accounts`. */
  readonly categories: readonly string[]
}

/** Where counts are divided, and how many articles are named one by one. */
export interface CountScope {
  /** Calendar date in UTC; what is due on it is not overdue yet. */
  readonly today: string
  /** Days after today, within which a review is due. */
  readonly dueWithinDays: number
  /** Articles of each standing that are named. */
  readonly listed: number
}

/** How many articles have a date `YYYY-MM-DD`; '' for none. */
interface DateCount {
  readonly date: string
  readonly count: number
}

/** What a page needs of articles that are too many to be listed one by one. */
export interface ArticleCounts {
  readonly kind: 'counts'
  readonly reviewDates: readonly DateCount[]
  readonly lastChanges: readonly DateCount[]
  /** By path of names; an article counts in each of its categories. */
  readonly categories: readonly {
    readonly category: string
    readonly articles: number
    readonly overdue: number
    readonly due: number
  }[]
  /** The first of each standing: by date, then by title. */
  readonly first: readonly ReviewEntry[]
}

/** A link of an article that does not work. */
export interface BrokenLinkEntry {
  readonly url: string
  /** HTTP status or reason of the last check, in plain words; '' where it is not known. */
  readonly reason: string
  readonly article: Pick<ReviewEntry, 'title' | 'url' | 'file'>
  /** Where in the file, from 1; undefined where it is not known. */
  readonly line?: number | undefined
  /** Those of the article. */
  readonly categories?: readonly string[]
}

/** Whether links are checked by this very process. */
export type LinkChecks =
  | { readonly kind: 'off' }
  /** `links`: all there are; `unchecked`: those among them that no one has checked yet. */
  | { readonly kind: 'on'; readonly links: number; readonly unchecked: number }

/** An article that is not on the target as its file has it, and why. */
export interface UnsentArticle {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** Undefined where the file could not even be read that far. */
  readonly title: string | undefined
  /** In plain words, on one line. */
  readonly reason: string
  /** Where in the file the reason lies, from 1; undefined where it lies elsewhere. */
  readonly line: number | undefined
  /** The same, in UTF-16 units from 1. */
  readonly column?: number | undefined
  /** Address of its page; undefined where it has none. */
  readonly url: string | undefined
}

/** How the files and the target stand to each other, where this process syncs them. */
export interface SyncStatus {
  /** Name of the target. */
  readonly target: string
  /** `offline`: the target does not answer, and what waits is kept. */
  readonly state: 'synced' | 'syncing' | 'offline'
  /** When the last run ended, ISO 8601; undefined before the first has. */
  readonly lastSync: string | undefined
  /** Changed files that wait to be sent, categories and tags included. */
  readonly pending: number
  /** Articles sent since the start. */
  readonly sent: number
  /** Articles that could not be sent, conflicts among them. */
  readonly failures: readonly UnsentArticle[]
  /** Articles kept back for their errors. */
  readonly heldBack: readonly UnsentArticle[]
  /** Articles of this project on the target that no file wants. */
  readonly orphans: number
}

export interface StatusSource {
  /** The current time. */
  readonly now: () => Date
  /** Undefined where this process does not sync. */
  readonly sync: () => SyncStatus | undefined
  /** Counts of all articles by status. */
  readonly countArticles: () => Promise<{ readonly published: number; readonly drafts: number }>
  /** Last change of any article, ISO 8601; undefined where there is none or it is not known. */
  readonly lastChange: () => Promise<string | undefined>
  /** Days after today, within which a review is due. */
  readonly dueWithinDays: () => number
  /** All of them in any order, or what is to be counted of them. */
  readonly articles: (scope: CountScope) => Entries<ArticleEntry> | Promise<ArticleCounts>
  /** In any order. */
  readonly brokenLinks: () => Entries<BrokenLinkEntry>
  readonly linkChecks: () => Promise<LinkChecks>
}
