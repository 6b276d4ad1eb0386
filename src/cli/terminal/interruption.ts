import { setMaxListeners } from 'node:events'
import { printMessage } from './print-message.ts'
import type { Terminal } from './terminal.ts'

const STOPPING = 'Stopping: finishing the requests in progress. Press Ctrl-C again to stop now.'

/**
 * On the first Ctrl-C (or SIGTERM), finishes operations in progress; a second one ends the process as usual.
 *
 * @param isIdle true if there is nothing to finish
 * @param onInterrupt called once, before the signal aborts
 */
export function listenForInterruption(
  terminal: Terminal,
  work: { readonly isIdle?: () => boolean; readonly onInterrupt?: () => void } = {},
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController()
  // Every waiting request adds a listener.
  setMaxListeners(0, controller.signal)
  const { isIdle = () => false, onInterrupt } = work
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
