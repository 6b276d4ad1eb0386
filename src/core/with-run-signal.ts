import { setMaxListeners } from 'node:events'

/**
 * Runs with a signal that follows another one for as long as the run lasts: what listens to it is not left hanging on
 * that of a caller who lives longer.
 */
export async function withRunSignal<Result>(
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  // As many requests as are under way listen to it.
  setMaxListeners(0, controller.signal)
  const stop = () => controller.abort(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await run(controller.signal)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
