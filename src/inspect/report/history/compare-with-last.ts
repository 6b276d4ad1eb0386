import { z } from 'zod'
import { readableAddress } from '../../../content/link-occurrences/decode-written-url.ts'
import { formatNumber } from '../../../core/format-number.ts'
import type { ChangedLink, ReportChanges } from '../../../web/report/report.ts'
import type { Listing } from '../../../web/dashboard/summary/least.ts'

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
): {
  /** Undefined if there is no earlier report. */
  readonly changes: ReportChanges | undefined
  /** Sentences about what could not be determined. */
  readonly notes: readonly string[]
} {
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
function without<T>(entries: readonly T[], others: readonly T[], keysOf: (entry: T) => readonly string[]) {
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
export const count = z.int().min(0)

/** An article, identified by its file if it has one, otherwise by its id. */
export const knownArticle = z.object({
  /** Id on the target. It changes if a target cannot update an article in place. */
  id: z.string(),
  /** Relative to the project; undefined if the article has no file. */
  file: z.string().optional(),
  title: z.string(),
})
export type RememberedArticle = z.infer<typeof knownArticle>

export const knownLink = z.object({ article: knownArticle, url: z.string() })
export type KnownLink = z.infer<typeof knownLink>

/** The figures of a report, as stored. */
export const historyPoint = z.object({
  at: z.iso.datetime(),
  overdue: count,
  due: count,
  broken: count,
  unowned: count,
  outdatedTranslations: count.optional(),
  /** Identifies the options of a report. Figures are comparable if it is the same. */
  asked: z.string(),
})
export type KeptPoint = z.infer<typeof historyPoint>

export interface ReportHistory {
  /** Oldest first. */
  readonly points: readonly KeptPoint[]
  readonly last: (ReportFindings & { readonly at: string }) | undefined
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
