import type { RemovedArticle, TargetState } from '../core/model/target-state.ts'
import { type Journal, openJournal } from './state/journal.ts'
import { writeState } from './state/state-file.ts'
import type { StateFiles } from './state-files.ts'

/** Where a run notes down its writes before they are sent, and in the end what it has learned. */
export interface RunRecords {
  readonly openJournal: () => Journal
  /**
   * Keeps what is known after the last write; the journal is closed in any case.
   *
   * @param unreplaced articles that were taken away and have no new version yet
   * @throws KbError WORKSPACE_UNWRITABLE
   */
  readonly keep: (next: TargetState, journal: Journal, unreplaced: readonly RemovedArticle[]) => Promise<void>
}

/** For a run that stands alone: state is written as the last step, and the journal ends with it. */
export function createRunRecords(files: StateFiles, project: string): RunRecords {
  return {
    openJournal: () => openJournal(files.journal),
    keep: async (next, journal, unreplaced) => {
      try {
        await writeState(files.state, project, next)
        await journal.finish(unreplaced)
      } finally {
        journal.close()
      }
    },
  }
}
