import { describeDatabase } from '../../../core/database-url.ts'
import { digestParts } from '../../../core/digest.ts'
import type { HistoryPoint, Report } from '../../../web/report/report.ts'
import {
  compareWithLast,
  count,
  historyPoint,
  knownArticle,
  knownLink,
  type KeptPoint,
  type KnownLink,
  NO_HISTORY,
  type RememberedArticle,
  type ReportFindings,
  type ReportHistory,
} from './compare-with-last.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { KbError, reasonWithoutPath } from '../../../core/errors/kb-error.ts'
import { takeLock } from '../../../sync/state/lock.ts'
import { prepareFolder, type Workspace } from '../../../sync/state/workspace.ts'
import { writeFileWhole } from '../../../core/write-file-whole.ts'
import type { Listing } from '../../../web/dashboard/summary/least.ts'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { join } from 'node:path'
import type { Settings, TargetSettings } from '../../../core/config/settings.ts'

interface ReportRequest {
  /** Patterns of URLs that were omitted. */
  readonly ignoredLinks: readonly string[]
  readonly isIgnored: (url: string) => boolean
}

/**
 * Compares a report with the last one and stores its findings for the next. Its figures are shown beside those of
 * earlier reports with the same options: as many days ahead, and the same omitted URLs.
 *
 * @param place undefined for no history: then nothing is compared or stored
 */
export async function rememberReport(
  report: Pick<Report, 'generatedAt' | 'dueWithinDays' | 'counts' | 'reviews' | 'links'>,
  place: HistoryPlace | undefined,
  { ignoredLinks, isIgnored }: ReportRequest,
): Promise<Pick<Report, 'changes' | 'history' | 'notes'>> {
  const { overdue, due, broken, unowned, outdatedTranslations } = report.counts
  const point = { at: report.generatedAt, overdue, due, broken, unowned, outdatedTranslations }
  if (place === undefined) return { changes: undefined, history: [point], notes: [] }
  const history = await readHistory(place.file)
  const findings = { overdue: report.reviews.overdue, broken: report.links.broken }
  const asked = digestParts([String(report.dueWithinDays), ...new Set(ignoredLinks.toSorted())])
  const { changes, notes } = compareWithLast(history, findings, isIgnored)
  const note = await writeHistory(place, { findings, point: { ...point, asked } })
  return {
    changes,
    history: addPoint(alike(history.points, asked), point),
    notes: [...notes, ...(note === undefined ? [] : [note])],
  }
}

function alike(points: readonly KeptPoint[], wanted: string): readonly HistoryPoint[] {
  return points.flatMap(({ asked, ...point }) => (asked === wanted ? point : []))
}

/** Maximum number of reports whose figures are stored. */
const MOST_POINTS = 200

/**
 * Adds a point, oldest first, and keeps at most 200. If there are more, a day's earlier reports are removed first, so
 * that one busy afternoon does not displace the last year.
 */
export function addPoint<Point extends Pick<HistoryPoint, 'at'>>(
  points: readonly Point[],
  point: Point,
  limit: number = MOST_POINTS,
): readonly Point[] {
  const sorted = [...points.filter(({ at }) => at !== point.at), point].toSorted((a, b) =>
    compareTexts(a.at, b.at),
  )
  let surplus = sorted.length - limit
  const thinned = sorted.filter((each, index) => {
    const isLastOfDay = dayOf(sorted[index + 1]) !== dayOf(each)
    if (surplus <= 0 || isLastOfDay) return true
    surplus--
    return false
  })
  return thinned.slice(-limit)
}

function dayOf(point: Pick<HistoryPoint, 'at'> | undefined): string | undefined {
  return point?.at.slice(0, 10)
}

interface HistoryPlace extends Clock {
  readonly workspace: Pick<Workspace, 'folder' | 'historyFolder'>
  /** The path from `historyFile`. */
  readonly file: string
}

/**
 * Stores the findings of this report atomically, after reading the file again: another report may have been written.
 *
 * @returns a message if they could not be stored, which is not a failure
 */
export async function writeHistory(
  place: HistoryPlace,
  { findings, point }: { readonly findings: ReportFindings; readonly point: KeptPoint },
): Promise<string | undefined> {
  const { workspace, file } = place
  const last = {
    at: point.at,
    overdue: listingOf(findings.overdue, toKnownArticle),
    broken: listingOf(findings.broken, toKnownLink),
  }
  try {
    prepareFolder(workspace, workspace.historyFolder)
    const endTurn = await takeTurn(file, place)
    try {
      const points = addPoint((await readHistory(file)).points, point)
      await writeFileWhole(file, `${JSON.stringify({ version: HISTORY_VERSION, points, last })}\n`)
    } finally {
      endTurn()
    }
    return undefined
  } catch (error) {
    const reason = error instanceof KbError ? error.cause : error
    if (!(reason instanceof Error && 'syscall' in reason)) throw error
    return `The results of this report could not be stored in .kb/history: ${reasonWithoutPath(reason)}.`
  }
}

function listingOf<T, Kept>({ total, entries }: Listing<T>, keep: (entry: T) => Kept): Listing<Kept> {
  return { total, entries: entries.map((entry) => keep(entry)) }
}

/** Copies single members, because an article has owners, too, and these are never stored. */
function toKnownArticle({ id, file, title }: RememberedArticle): RememberedArticle {
  return { id, file, title }
}

function toKnownLink({ article, url }: KnownLink): KnownLink {
  return { article: toKnownArticle(article), url }
}

/** Maximum time to wait for another report, which locks the file only while it reads and writes it. */
const WAIT_MS = 3000
const PAUSE_MS = 20

interface Clock {
  readonly now: () => Date
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Waits until no other report is writing `file`, and returns a function that releases the lock. Continues without a
 * lock after some seconds: at worst, a figure is missing in the history.
 *
 * @throws KbError WORKSPACE_UNWRITABLE
 */
async function takeTurn(file: string, { now, sleep }: Clock): Promise<() => void> {
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += PAUSE_MS) {
    try {
      return takeLock(`${file}.lock`, now())
    } catch (error) {
      const isLocked = error instanceof KbError && error.code === 'LOCKED'
      if (!isLocked) throw error
    }
    await sleep(PAUSE_MS)
  }
  return () => undefined
}

/** Reads the findings of earlier reports. A missing or damaged file, or one of another version, is an empty history. */
export async function readHistory(file: string): Promise<ReportHistory> {
  try {
    const { points, last } = historySchema.parse(JSON.parse(await readFile(file, 'utf8')))
    return { points, last }
  } catch {
    return NO_HISTORY
  }
}

/** Incremented with every change that an older kb-sync would not understand. */
const HISTORY_VERSION = 1

/** The contents of a history file. Unknown properties are dropped. */
const historySchema = z.object({
  version: z.literal(HISTORY_VERSION),
  points: z.array(historyPoint),
  last: z.object({
    at: z.iso.datetime(),
    overdue: z.object({ total: count, entries: z.array(knownArticle) }),
    broken: z.object({ total: count, entries: z.array(knownLink) }),
  }),
})

/**
 * Returns the history file for this target. It does not depend on the API key, because another key opens the same
 * knowledge base.
 */
export function historyFile(
  target: TargetSettings,
  { project, server }: Pick<Settings, 'project' | 'server'>,
  { historyFolder }: Pick<Workspace, 'historyFolder'>,
): string {
  const address = target.kind === 'builtin' ? describeDatabase(server.db) : target.url
  // The name of a target without one is its URL, which may contain a password.
  const name = target.name.replace(/^https?:\/\/(?:[^/]*@)?/, '').replace(/[^\w.-]+/g, '-')
  const others = digestParts([project, target.kind, target.name, address])
  return join(historyFolder, `${name.slice(0, 40)}-${others.slice(0, 12)}.json`)
}
