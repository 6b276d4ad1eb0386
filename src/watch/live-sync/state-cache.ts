import { statSync } from 'node:fs'
import { KbError } from '../../core/errors/kb-error.ts'
import type { RemovedArticle, TargetState } from '../../core/model/target-state.ts'
import { type Journal, openJournal } from '../../sync/state/journal.ts'
import { takeLock } from '../../sync/state/lock.ts'
import { writeState } from '../../sync/state/state-file.ts'
import { loadPast } from '../../sync/state/load-past.ts'
import type { StateFiles } from '../../sync/state/workspace.ts'

/**
 * A target's state while it is watched: in memory between runs, and written down now and then. Until then the journal
 * holds what is missing in the file, as after a run that was killed.
 */
export interface StateCache {
  /**
   * Does some work with the lock held. What other processes have written since the last time is noticed, and what was
   * remembered is then forgotten.
   *
   * @throws KbError LOCKED, WORKSPACE_UNWRITABLE
   */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>
  /** Undefined where only the files can tell. */
  readonly remembered: () => TargetState | undefined
  /** What is remembered, else what the files say. */
  readonly load: () => TargetState
  readonly remember: (next: TargetState, unreplaced: readonly RemovedArticle[]) => void
  readonly forget: () => void
  /** A journal that counts how much there is to be written down. */
  readonly openJournal: () => Journal
  /** How many writes to articles only the journal knows of. */
  readonly unwritten: () => number
  /**
   * Writes down what is remembered and ends the journal; nothing where that was done.
   *
   * @throws KbError WORKSPACE_UNWRITABLE
   */
  readonly write: () => Promise<void>
  /** As `write`, with the lock; where another process has it, the journal has to do. */
  readonly flush: () => Promise<void>
}

interface Remembered {
  readonly state: TargetState
  readonly unreplaced: readonly RemovedArticle[]
  readonly isWritten: boolean
}

export function createStateCache(
  files: StateFiles,
  { project, now }: { readonly project: string; readonly now: () => Date },
): StateCache {
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
    unwritten: () => unwritten,
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

/** Tells whether anyone has written state or journal. */
function stampsOf({ state, journal }: StateFiles): string {
  return [state, journal].map(stampOf).join(' ')
}

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}
