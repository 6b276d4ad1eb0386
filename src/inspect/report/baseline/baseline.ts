// What a team accepts for now: a file in their repository, so that a report may fail on what is new.

/** Who an entry is about: a file, or an article of the target that no file owns. */
export interface AcceptedArticle {
  /** Relative to the project, with `/`; left out where no file owned the article. */
  readonly file?: string | undefined
  /** Id on the target: it stays when the file is moved. */
  readonly id?: string | undefined
  /** For the reader, where there is no file. */
  readonly title?: string | undefined
}

export interface AcceptedReview extends AcceptedArticle {
  /** The review date that may have passed; once it is another one, the entry is used up. Left out: any. */
  readonly date?: string | undefined
}

export interface AcceptedLink extends AcceptedArticle {
  /** As the target lists it. */
  readonly url: string
}

export interface Baseline {
  readonly overdue: readonly AcceptedReview[]
  readonly broken: readonly AcceptedLink[]
}

/** Counts up with every change that an older kb-sync would not understand. */
export const BASELINE_VERSION = 1
