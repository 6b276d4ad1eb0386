// What earlier reports found: numbers of many, findings of the last one. Disposable, and nothing in it is about people.
import type { ChangedLink, HistoryPoint } from '../../../web/report/report.ts'
import type { Listing } from '../../../web/dashboard/summary/least.ts'

/** An article as it is known again: by its file, wherever it has one, else by its id. */
export interface RememberedArticle {
  /** Id on the target; it changes where a target cannot update an article in place. */
  readonly id: string
  /** Relative to the project; undefined where no file owned it. */
  readonly file?: string | undefined
  readonly title: string
}

export interface KnownLink {
  readonly article: RememberedArticle
  readonly url: string
}

/** What the last report found. */
export interface LastReport {
  /** ISO 8601 */
  readonly at: string
  readonly overdue: Listing<RememberedArticle>
  readonly broken: Listing<KnownLink>
}

/** A report in numbers, as it is kept. */
export interface KeptPoint extends HistoryPoint {
  /** Tells what it was asked for: figures of two reports compare where that is the same. */
  readonly asked: string
}

export interface ReportHistory {
  /** Oldest first. */
  readonly points: readonly KeptPoint[]
  /** Undefined where there was none. */
  readonly last: LastReport | undefined
}

export const NO_HISTORY: ReportHistory = { points: [], last: undefined }

/** What of a report is compared and kept; whole findings will do. */
export interface ReportFindings {
  readonly overdue: Listing<RememberedArticle>
  readonly broken: Listing<KnownLink>
}

/** What readers call the article. */
export function fileOrTitle({ file, title }: Pick<RememberedArticle, 'file' | 'title'>): string {
  return file ?? title
}

/** The link as readers know it. */
export function toChangedLink({ article, url }: KnownLink): ChangedLink {
  return { article: fileOrTitle(article), url }
}
