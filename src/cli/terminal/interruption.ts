import { setMaxListeners } from 'node:events'
import { printMessage } from './print-message.ts'
import type { Terminal } from './terminal.ts'

const STOPPING = 'Stopping: finishing the requests in progress. Press Ctrl-C again to stop now.'

/**
 * Lets the first Ctrl-C (or SIGTERM) finish what is in flight; a second one ends the process the usual way.
 *
 * @param isIdle whether there is nothing to be finished
 * @param onInterrupt called once, before the signal aborts
 */
export function listenForInterruption(
  terminal: Terminal,
  {
    isIdle = () => false,
    onInterrupt,
  }: { readonly isIdle?: () => boolean; readonly onInterrupt?: () => void } = {},
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController()
  // Every request that waits listens.
  setMaxListeners(0, controller.signal)
  const stop = () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
  const interrupt = () => {
    stop()
    onInterrupt?.()
    if (!isIdle()) printMessage(terminal, STOPPING)
    controller.abort()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return { signal: controller.signal, stop }
}
