// The journal: every write of an article, recorded before it is sent. It shows what a killed run has started, even if
// the target keeps no markers. Its format is lines of JSON, so that a crash can damage only the last line.
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import type { ArticleRecord, AwaitedArticle, RemovedArticle } from '../../core/model/target-state.ts'
import { errorCodeOf } from '../../core/error-code.ts'
import { workspaceUnwritable } from './workspace.ts'

/** A write that is about to be sent. */
export type JournaledWrite =
  /** The id is unknown until the target lists it. */
  | { readonly kind: 'create'; readonly record: AwaitedArticle }
  /** In place. Contains the new version of the article. */
  | { readonly kind: 'update'; readonly record: ArticleRecord }
  /** `removed` if a new version follows; otherwise the article is deleted for good. */
  | { readonly kind: 'delete'; readonly id: string; readonly removed?: RemovedArticle | undefined }
  /** From a run that has ended: the article is deleted, and has no new version yet. */
  | { readonly kind: 'unreplaced'; readonly removed: RemovedArticle }

/** `open`: it may have been sent, and the result is unknown. */
export type JournaledOutcome = 'done' | 'refused' | 'open'

export interface JournalEntry {
  readonly write: JournaledWrite
  readonly outcome: JournaledOutcome
}

export interface Journal {
  /**
   * Records a write.
   *
   * @returns a function that records the outcome; not called if the outcome is unknown
   * @throws KbError WORKSPACE_UNWRITABLE: then the write must not be sent
   */
  begin(write: JournaledWrite): (outcome: Exclude<JournaledOutcome, 'open'>) => void
  /**
   * Ends the journal when the state contains everything. Articles that were deleted and have no new version yet stay
   * recorded.
   *
   * @throws KbError WORKSPACE_UNWRITABLE
   */
  finish(unreplaced: readonly RemovedArticle[]): Promise<void>
  /** Leaves the journal for the next run, including the outcomes so far. */
  close(): void
}

type Line =
  | { readonly number: number; readonly write: JournaledWrite }
  | { readonly number: number; readonly outcome: Exclude<JournaledOutcome, 'open'> }

/** Opens a journal. Creates nothing on disk before the first write. */
export function openJournal(file: string): Journal {
  let descriptor: number | undefined
  let lastNumber = 0
  // Outcomes are written with the next write: they only save the next run some requests.
  let outcomes = ''
  let broken: KbError | undefined

  function append(line: Line): void {
    descriptor ??= openForAppending(file)
    writeWhole(descriptor, `${outcomes}${JSON.stringify(line)}\n`)
    outcomes = ''
  }

  function close(): void {
    if (descriptor === undefined) return
    try {
      if (broken === undefined) writeWhole(descriptor, outcomes)
    } catch {
      // Without outcomes, the next run asks the target about these writes.
    }
    outcomes = ''
    closeSync(descriptor)
    descriptor = undefined
  }

  return {
    begin(write) {
      // Text appended to half a line could not be read.
      if (broken !== undefined) throw broken
      const number = ++lastNumber
      try {
        append({ number, write })
        // All other writes can be found on the target, even after a power failure.
        if (write.kind === 'delete' && write.removed !== undefined && descriptor !== undefined)
          fdatasyncSync(descriptor)
      } catch (error) {
        broken = unwritable(file, error)
        throw broken
      }
      return (outcome) => {
        outcomes += `${JSON.stringify({ number, outcome } satisfies Line)}\n`
      }
    },
    finish: async (unreplaced) => {
      outcomes = ''
      close()
      if (unreplaced.length === 0) return remove(file)
      const lines = unreplaced.map((removed, index): Line => ({
        number: index + 1,
        write: { kind: 'unreplaced', removed },
      }))
      await replace(file, lines)
    },
    close,
  }
}

/**
 * The entries of earlier runs, oldest first; empty if the last run completed. Skips incomplete lines.
 *
 * @throws KbError WORKSPACE_UNWRITABLE if the journal cannot be read
 */
export function readJournal(file: string): readonly JournalEntry[] {
  const entries: { write: JournaledWrite; outcome: JournaledOutcome }[] = []
  const open = new Map<number, (typeof entries)[number]>()
  for (const line of readLines(file)) {
    if ('write' in line) {
      const entry = { write: line.write, outcome: 'open' as const }
      open.set(line.number, entry)
      entries.push(entry)
    } else {
      const entry = open.get(line.number)
      if (entry !== undefined) entry.outcome = line.outcome
    }
  }
  return entries
}

/** Appends a line feed first, because the last line may be incomplete. Each run numbers its writes from zero. */
function openForAppending(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, 'a')
  writeWhole(descriptor, '\n')
  return descriptor
}

/** Writes the whole text. A full disk may accept a part without an error; writing the next part then fails. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    throw unwritable(file, error)
  }
}

async function replace(file: string, lines: readonly Line[]): Promise<void> {
  try {
    await writeFileWhole(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  } catch (error) {
    throw unwritable(file, error)
  }
}

function readLines(file: string): Line[] {
  const lines: Line[] = []
  for (const json of readText(file).split('\n')) {
    try {
      const line: unknown = JSON.parse(json)
      if (isLine(line)) lines.push(line)
    } catch {
      // An incomplete line: the write that it describes was not sent.
    }
  }
  return lines
}

/** True if a line is complete. Only kb-sync writes lines, so their form shows it. */
function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null || !('number' in value)) return false
  return ('write' in value && typeof value.write === 'object') || 'outcome' in value
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return ''
    throw new KbError('WORKSPACE_UNWRITABLE', `The journal ${file} could not be read: ${reasonOf(error)}.`, {
      hint: 'Make the .kb folder readable: it contains what the interrupted run was doing.',
      cause: error,
    })
  }
}

function unwritable(file: string, error: unknown): KbError {
  return workspaceUnwritable(`The journal ${file} could not be written`, error, 'Nothing more was sent.')
}
