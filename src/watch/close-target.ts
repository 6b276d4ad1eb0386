import { KbError } from '../core/errors/kb-error.ts'
import type { LiveTarget } from './live-sync/live-target.ts'

/** Closes the target. What could not be written down at the end is found again by the next run. */
export async function closeTarget(target: LiveTarget | undefined): Promise<void> {
  try {
    await target?.close()
  } catch (error) {
    if (!(error instanceof KbError)) throw error
  }
}
