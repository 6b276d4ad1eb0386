import { KbError } from '../../../core/errors/kb-error.ts'
import { takeLock } from '../../../sync/state/lock.ts'

/** Another report holds the file while it reads and writes it, which is a moment's work. */
const WAIT_MS = 3000
const PAUSE_MS = 20

export interface Clock {
  readonly now: () => Date
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Waits until no other report is writing `file`, and returns the function that lets the next one do so. Who has waited
 * for seconds goes on without: at worst, a number is missing in the history.
 *
 * @throws KbError WORKSPACE_UNWRITABLE
 */
export async function takeTurn(file: string, { now, sleep }: Clock): Promise<() => void> {
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
