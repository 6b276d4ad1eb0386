import { setMaxListeners } from 'node:events'

/** A signal that follows another one with a delay. */
interface LateSignal {
  /** Undefined if there is no signal to follow. */
  readonly signal: AbortSignal | undefined
  /** Stops following the signal. */
  readonly close: () => void
}

/** For work that may be aborted, but should complete if possible. */
export function createLateSignal(
  signal: AbortSignal | undefined,
  delayMs: number,
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
): LateSignal {
  if (signal === undefined) return { signal, close: () => undefined }
  const late = new AbortController()
  const closing = new AbortController()
  // All requests in progress listen to it.
  setMaxListeners(0, late.signal)
  const follow = () => {
    sleep(delayMs, closing.signal).then(
      () => late.abort(),
      () => undefined,
    )
  }
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return {
    signal: late.signal,
    close: () => {
      signal.removeEventListener('abort', follow)
      closing.abort()
    },
  }
}
