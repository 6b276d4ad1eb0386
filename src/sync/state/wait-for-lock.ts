import { hostname } from 'node:os'
import { KbError } from '../../core/errors/kb-error.ts'
import { inspectLock, takeLock } from './lock.ts'

/** A watch holds the lock for a moment with each save. */
const WAIT_MS = 3000
const PAUSE_MS = 50

/**
 * Takes the lock as `takeLock` does; one that another process of this machine has is waited for, for some seconds: what
 * was read before may be out of date then.
 *
 * @throws KbError LOCKED, WORKSPACE_UNWRITABLE
 */
export async function waitForLock(
  file: string,
  { now, sleep }: { readonly now: () => Date; readonly sleep: (ms: number) => Promise<void> },
): Promise<{ readonly unlock: () => void; readonly hasWaited: boolean }> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      return { unlock: takeLock(file, now()), hasWaited: waitedMs > 0 }
    } catch (error) {
      const isLocked = error instanceof KbError && error.code === 'LOCKED'
      if (!isLocked || waitedMs >= WAIT_MS || !isOfNeighbour(file, now())) throw error
    }
    await sleep(PAUSE_MS)
  }
}

/** Another run of this very process is no moment's work: its caller may do something about it. */
function isOfNeighbour(file: string, now: Date): boolean {
  const status = inspectLock(file, now)
  if (status.kind !== 'held') return true
  return status.owner?.host === hostname() && status.owner.pid !== process.pid
}
