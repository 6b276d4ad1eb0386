import { KbError } from '../errors/kb-error.ts'
import type { LiveTarget } from '../sync/live/live-target.ts'

/** Closes the target. What could not be written down at the end is found again by the next run. */
export async function closeTarget(target: LiveTarget | undefined): Promise<void> {
  try {
    await target?.close()
  } catch (error) {
    if (!(error instanceof KbError)) throw error
  }
}
