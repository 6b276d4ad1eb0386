import { statSync } from 'node:fs'
import { KbError } from '../../core/errors/kb-error.ts'
import type { RemovedArticle, TargetState } from '../../core/model/target-state.ts'
import { type Journal, openJournal } from '../../sync/state/journal.ts'
import { takeLock } from '../../sync/state/lock.ts'
import { writeState } from '../../sync/state/state-file.ts'
import { loadPast } from '../../sync/state/load-past.ts'
import type { StateFiles } from '../../sync/state/workspace.ts'

/**
 * The state of a watched target, in memory between runs, and written at intervals. Until it is written, the journal
 * contains what the file lacks, as after a kill.
 */
export interface StateCache {
  /**
   * Runs work with the lock. If other processes have written state or journal since, the cached state is dropped first.
   *
   * @throws KbError LOCKED, WORKSPACE_UNWRITABLE
   */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>
  /** The cached state; undefined if it must be read from the files. */
  readonly remembered: () => TargetState | undefined
  /** The cached state, otherwise that of the files. */
  readonly load: () => TargetState
  readonly remember: (next: TargetState, unreplaced: readonly RemovedArticle[]) => void
  readonly forget: () => void
  /** Opens a journal that counts the writes that are not in the state file. */
  readonly openJournal: () => Journal
  /** True if the journal contains so many writes of its own that the state should be written. */
  readonly isFull: () => boolean
  /** Writes the cached state and ends the journal, if necessary. @throws KbError WORKSPACE_UNWRITABLE */
  readonly write: () => Promise<void>
  /** Like `write`, with the lock. Does nothing if another process holds the lock: the journal is sufficient. */
  readonly flush: () => Promise<void>
}

interface Remembered {
  readonly state: TargetState
  readonly unreplaced: readonly RemovedArticle[]
  readonly isWritten: boolean
}

/** Maximum number of unwritten writes: after a kill, the target must be asked about each of them. */
const MOST_UNWRITTEN = 100

export function createStateCache(files: StateFiles, project: string, now: () => Date): StateCache {
  let memory: Remembered | undefined
  let stamps = ''
  let unwritten = 0

  function forget(): void {
    memory = undefined
    unwritten = 0
  }

  async function locked<T>(work: () => Promise<T>): Promise<T> {
    const unlock = takeLock(files.lock, now())
    try {
      if (stampsOf(files) !== stamps) forget()
      return await work()
    } finally {
      stamps = stampsOf(files)
      unlock()
    }
  }

  async function write(): Promise<void> {
    if (memory === undefined || memory.isWritten) return
    await writeState(files.state, project, memory.state)
    await openJournal(files.journal).finish(memory.unreplaced)
    memory = { ...memory, isWritten: true }
    unwritten = 0
  }

  return {
    locked,
    forget,
    write,
    remembered: () => memory?.state,
    load: () => memory?.state ?? loadPast(files, project),
    remember: (state, unreplaced) => {
      memory = { state, unreplaced, isWritten: false }
    },
    isFull: () => unwritten >= MOST_UNWRITTEN,
    openJournal: () => {
      const journal = openJournal(files.journal)
      return {
        ...journal,
        begin: (noted) => {
          unwritten++
          return journal.begin(noted)
        },
      }
    },
    flush: async () => {
      if (memory === undefined || memory.isWritten) return
      await locked(write).catch((error: unknown) => {
        if (!(error instanceof KbError) || error.code !== 'LOCKED') throw error
      })
    },
  }
}

/** Returns a text that changes when any process writes state or journal. */
function stampsOf({ state, journal }: StateFiles): string {
  return [state, journal].map(stampOf).join(' ')
}

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}
