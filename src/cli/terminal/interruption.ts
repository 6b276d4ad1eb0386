import { setMaxListeners } from 'node:events'
import type { Terminal } from './terminal.ts'

/**
 * Lets the first Ctrl-C (or SIGTERM) finish what is in flight; a second one ends the process the usual way.
 *
 * @param isIdle whether there is nothing to be finished
 */
export function listenForInterruption(
  terminal: Terminal,
  isIdle: () => boolean = () => false,
): {
  readonly signal: AbortSignal
  readonly stop: () => void
} {
  const controller = new AbortController()
  // Every request that waits listens.
  setMaxListeners(0, controller.signal)
  const stop = () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
  const interrupt = () => {
    stop()
    if (!isIdle())
      terminal.err('Stopping: finishing the requests in progress. Press Ctrl-C again to stop immediately.\n')
    controller.abort()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return { signal: controller.signal, stop }
}
