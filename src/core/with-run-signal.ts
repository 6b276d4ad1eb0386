import { setMaxListeners } from 'node:events'

/**
 * Runs with a signal that follows `signal` during the run, so that no listeners remain on a signal that lives longer.
 *
 * @param run its `abort` ends this run alone
 */
export async function withRunSignal<Result>(
  signal: AbortSignal,
  run: (signal: AbortSignal, abort: () => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  // All requests in progress listen to it.
  setMaxListeners(0, controller.signal)
  const stop = () => controller.abort(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await run(controller.signal, () => controller.abort())
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
