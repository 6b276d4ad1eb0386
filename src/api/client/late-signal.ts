import { setMaxListeners } from 'node:events'

/** A signal that follows another one after a while. */
interface LateSignal {
  /** Undefined where there is none to follow. */
  readonly signal: AbortSignal | undefined
  /** Lets go of the signal that is followed. */
  readonly close: () => void
}

/** For what may be cut off, but had better come to its end by itself. */
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
