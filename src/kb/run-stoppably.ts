import { KbError } from '../core/errors/kb-error.ts'
import { withRunSignal } from '../core/with-run-signal.ts'

/**
 * Runs with a signal of its own that follows the caller's: hundreds of requests may listen to it, which Node would
 * complain about on stderr, and none of them is left hanging on the caller's when the run is over.
 *
 * @throws KbError INTERRUPTED where the signal was given too late to begin
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
