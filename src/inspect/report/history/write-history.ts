import { KbError, reasonWithoutPath } from '../../../core/errors/kb-error.ts'
import { takeLock } from '../../../sync/state/lock.ts'
import { prepareFolder, type Workspace } from '../../../sync/state/workspace.ts'
import { writeFileWhole } from '../../../core/write-file-whole.ts'
import { addPoint } from './add-point.ts'
import { HISTORY_VERSION } from './history-schema.ts'
import { readHistory } from './read-history.ts'
import type { KeptPoint, KnownLink, RememberedArticle, ReportFindings } from './report-history.ts'
import type { Listing } from '../../../web/dashboard/summary/least.ts'

/** Where earlier reports are kept, and what it takes to wait for others who write there. */
export interface HistoryPlace extends Clock {
  readonly workspace: Pick<Workspace, 'folder' | 'historyFolder'>
  /** Of `historyFile`. */
  readonly file: string
}

/**
 * Keeps what this report found, in one step. The file is read anew before: another report may have been written since.
 *
 * @returns a sentence for the reader where it could not be kept, which is no failure
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
    if (!isOfSystem(reason)) throw error
    return `What this report found could not be kept in .kb/history: ${reasonWithoutPath(reason)}.`
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function listingOf<T, Kept>({ total, entries }: Listing<T>, keep: (entry: T) => Kept): Listing<Kept> {
  return { total, entries: entries.map((entry) => keep(entry)) }
}

/** Member by member: an article has owners, too, and these are kept nowhere. */
function toKnownArticle({ id, file, title }: RememberedArticle): RememberedArticle {
  return { id, file, title }
}

function toKnownLink({ article, url }: KnownLink): KnownLink {
  return { article: toKnownArticle(article), url }
}

/** Another report holds the file while it reads and writes it, which is a moment's work. */
const WAIT_MS = 3000
const PAUSE_MS = 20

interface Clock {
  readonly now: () => Date
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Waits until no other report is writing `file`, and returns the function that lets the next one do so. Who has waited
 * for seconds goes on without: at worst, a number is missing in the history.
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
