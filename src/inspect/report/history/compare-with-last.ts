import { readableAddress } from '../../../content/link-occurrences/decode-written-url.ts'
import { formatNumber } from '../../../core/format-number.ts'
import type { ChangedLink, HistoryPoint, ReportChanges } from '../../../web/report/report.ts'
import type { Listing } from '../../../web/dashboard/summary/least.ts'

interface HistoryComparison {
  /** Undefined if there is no earlier report. */
  readonly changes: ReportChanges | undefined
  /** Sentences about what could not be determined. */
  readonly notes: readonly string[]
}

/**
 * Compares single findings with those of the last report. An article is the same if its file or its id is; a link, if
 * its URL is the same, too.
 *
 * @param isIgnored URLs that this report omits: they do not count as fixed
 */
export function compareWithLast(
  { last }: Pick<ReportHistory, 'last'>,
  findings: ReportFindings,
  isIgnored: (url: string) => boolean = () => false,
): HistoryComparison {
  if (last === undefined) return { changes: undefined, notes: [] }
  const reviews = difference(last.overdue, findings.overdue, keysOfArticle)
  const links = difference(last.broken, findings.broken, keysOfLink)
  const changes = {
    since: last.at,
    newlyOverdue: listing(reviews.added.map(fileOrTitle)),
    reviewed: listing(reviews.gone.map(fileOrTitle)),
    newlyBroken: listing(links.added.map(toChangedLink)),
    fixed: listing(links.gone.filter(({ url }) => !isIgnored(url)).map(toChangedLink)),
  }
  const notes = [
    ...noteOf(last.overdue, findings.overdue, 'overdue articles'),
    ...noteOf(last.broken, findings.broken, 'broken links'),
  ]
  return { changes, notes }
}

function listing<T>(entries: readonly T[]): Listing<T> {
  return { total: entries.length, entries }
}

function difference<T>(before: Listing<T>, now: Listing<T>, keysOf: (entry: T) => readonly string[]) {
  return {
    added: isWhole(before) ? without(now.entries, before.entries, keysOf) : [],
    gone: isWhole(now) ? without(before.entries, now.entries, keysOf) : [],
  }
}

function isWhole({ total, entries }: Listing<unknown>): boolean {
  return total === entries.length
}

/** Returns the entries that do not match any of `others`, each once. */
function without<T>(
  entries: readonly T[],
  others: readonly T[],
  keysOf: (entry: T) => readonly string[],
): T[] {
  const seen = new Set(others.flatMap(keysOf))
  return entries.filter((entry) => {
    const keys = keysOf(entry)
    if (keys.some((key) => seen.has(key))) return false
    for (const key of keys) seen.add(key)
    return true
  })
}

function keysOfArticle({ id, file }: Pick<RememberedArticle, 'id' | 'file'>): string[] {
  return [`id ${id}`, ...(file === undefined ? [] : [`file ${file.normalize('NFC')}`])]
}

function keysOfLink({ article, url }: KnownLink): string[] {
  return keysOfArticle(article).map((key) => `${key}\n${readableAddress(url)}`)
}

function noteOf(before: Listing<unknown>, now: Listing<unknown>, what: string): string[] {
  const cut = [before, now].find((each) => !isWhole(each))
  if (cut === undefined) return []
  const listed = formatNumber(cut.entries.length)
  return [`Which ${what} are new or gone is not completely known, because only ${listed} of them are listed.`]
}

// Findings of earlier reports: figures of many, details of the last one. Disposable, and without data about people.
/** An article, identified by its file if it has one, otherwise by its id. */
export interface RememberedArticle {
  /** Id on the target. It changes if a target cannot update an article in place. */
  readonly id: string
  /** Relative to the project; undefined if the article has no file. */
  readonly file?: string | undefined
  readonly title: string
}

export interface KnownLink {
  readonly article: RememberedArticle
  readonly url: string
}

interface LastReport {
  /** ISO 8601 */
  readonly at: string
  readonly overdue: Listing<RememberedArticle>
  readonly broken: Listing<KnownLink>
}

/** The figures of a report, as stored. */
export interface KeptPoint extends HistoryPoint {
  /** Identifies the options of a report. Figures are comparable if it is the same. */
  readonly asked: string
}

export interface ReportHistory {
  /** Oldest first. */
  readonly points: readonly KeptPoint[]
  /** Undefined if there was no report. */
  readonly last: LastReport | undefined
}

export const NO_HISTORY: ReportHistory = { points: [], last: undefined }

/** The parts of a report that are compared and stored; complete findings may be passed. */
export interface ReportFindings {
  readonly overdue: Listing<RememberedArticle>
  readonly broken: Listing<KnownLink>
}

function fileOrTitle({ file, title }: Pick<RememberedArticle, 'file' | 'title'>): string {
  return file ?? title
}

/** Returns the link in the form for readers. */
function toChangedLink({ article, url }: KnownLink): ChangedLink {
  return { article: fileOrTitle(article), url }
}
