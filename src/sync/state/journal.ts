// The journal: every write to articles, noted down before it is sent. What a run that was killed has begun is known from
// it, also where the target keeps no markers. Lines of JSON, so that a line torn by a crash costs itself only.
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { KbError, reasonOf, unwritableHint } from '../../core/errors/kb-error.ts'
import type { ArticleRecord, AwaitedArticle, RemovedArticle } from '../../core/model/target-state.ts'

/** A write as it is about to be sent. */
export type JournaledWrite =
  /** Its id is not known before the target lists it. */
  | { readonly kind: 'create'; readonly record: AwaitedArticle }
  /** In place: what the article is to become. */
  | { readonly kind: 'update'; readonly record: ArticleRecord }
  /** `removed` where a new version is to follow; without it the article is meant to be gone. */
  | { readonly kind: 'delete'; readonly id: string; readonly removed?: RemovedArticle | undefined }
  /** Left by a run that came to its end: taken away, and still without a new version. */
  | { readonly kind: 'unreplaced'; readonly removed: RemovedArticle }

/** `open`: sent perhaps, and no one knows what became of it. */
export type JournaledOutcome = 'done' | 'refused' | 'open'

export interface JournalEntry {
  readonly write: JournaledWrite
  readonly outcome: JournaledOutcome
}

export interface Journal {
  /**
   * Notes a write down.
   *
   * @returns notes down what became of it; may be left out where that is not known
   * @throws KbError WORKSPACE_UNWRITABLE: then it must not be sent
   */
  begin(write: JournaledWrite): (outcome: Exclude<JournaledOutcome, 'open'>) => void
  /**
   * Ends the journal once the state holds everything. Articles that were removed and have no new version yet stay noted
   * down.
   *
   * @throws KbError WORKSPACE_UNWRITABLE
   */
  finish(unreplaced: readonly RemovedArticle[]): Promise<void>
  /** Leaves the journal for the next run, what became of the writes so far included. */
  close(): void
}

type Line =
  | { readonly number: number; readonly write: JournaledWrite }
  | { readonly number: number; readonly outcome: Exclude<JournaledOutcome, 'open'> }

/** Nothing is made on disk before the first write. */
export function openJournal(file: string): Journal {
  let descriptor: number | undefined
  let lastNumber = 0
  // Outcomes wait for the next write: without one they save the next run some questions and nothing else.
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
      // Without them, the next run asks the target what became of these writes.
    }
    outcomes = ''
    closeSync(descriptor)
    descriptor = undefined
  }

  return {
    begin(write) {
      // What was appended to half a line could not be read again.
      if (broken !== undefined) throw broken
      const number = ++lastNumber
      try {
        append({ number, write })
        // What is on the target tells of all other writes, even after a power cut.
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
 * What earlier runs left behind, oldest first; empty where the last one ended well. Torn lines are skipped.
 *
 * @throws KbError WORKSPACE_UNWRITABLE where there is one that cannot be read
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

/** A line feed first: the last line may have been torn. Numbers start again with each run, and refer back to the last. */
function openForAppending(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, 'a')
  writeWhole(descriptor, '\n')
  return descriptor
}

/** A full disk may take a part and say nothing; the next part then fails. */
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
      // Torn by a crash: what it was about to note down was not sent.
    }
  }
  return lines
}

/** Written by ourselves: told by its form whether it is a line that kb-sync wrote completely. */
function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null || !('number' in value)) return false
  return ('write' in value && typeof value.write === 'object') || 'outcome' in value
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new KbError('WORKSPACE_UNWRITABLE', `The journal ${file} could not be read: ${reasonOf(error)}.`, {
      hint: 'Make the .kb folder readable: it contains what the interrupted run was doing.',
      cause: error,
    })
  }
}

function unwritable(file: string, error: unknown): KbError {
  return new KbError(
    'WORKSPACE_UNWRITABLE',
    `The journal ${file} could not be written: ${reasonOf(error)}. Nothing more was sent.`,
    { hint: unwritableHint(error), cause: error },
  )
}
