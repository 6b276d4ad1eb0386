import { KbError } from '../core/errors/kb-error.ts'
import { withRunSignal } from '../core/with-run-signal.ts'

/**
 * Runs with a signal that follows the caller's. Hundreds of requests may listen to it, about which Node would warn on
 * stderr, and no listeners remain on the caller's signal after the run.
 *
 * @throws KbError INTERRUPTED if the signal is aborted before the start
 */
export async function runStoppably<Result>(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return run(undefined)
  if (signal.aborted)
    throw new KbError('INTERRUPTED', 'The run was stopped before it started; nothing was done.', {
      cause: signal.reason,
    })
  return withRunSignal(signal, run)
}
