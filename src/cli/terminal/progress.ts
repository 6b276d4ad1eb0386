import type { Delay } from '../../api/client/send-with-retries.ts'
import { formatNumber } from '../../core/format-number.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { printMessage } from './print-message.ts'
import type { Terminal } from './terminal.ts'

const VERBS = {
  render: 'Reading and rendering',
  links: 'Checking links:',
  copy: 'Copying',
  verify: 'Verifying',
  send: 'Sending',
} as const

/** Shorter pauses are not shown. */
const SHOWN_DELAY_MS = 1000

export type RunProgress = ReturnType<typeof createProgress>

/**
 * Shows the progress of a run and its pauses: on a terminal, one line that is redrawn; elsewhere, a line for each phase
 * and pause.
 *
 * @param now Unix time in milliseconds
 */
export function createProgress(terminal: Terminal, isQuiet: boolean, now: () => number = Date.now) {
  let phase: keyof typeof VERBS | undefined
  let saidUntil = 0
  let isSilent = isQuiet
  return {
    onDelay: ({ ms, reason }: Delay) => {
      // Concurrent requests wait together.
      if (isSilent || ms < SHOWN_DELAY_MS || (!terminal.isLive && now() < saidUntil)) return
      saidUntil = now() + ms
      const text = `Waiting ${Math.ceil(ms / 1000)} s: ${escapeControlInLine(reason)}`
      if (terminal.isLive) terminal.status(text)
      else printMessage(terminal, `${text}.`)
    },
    onProgress: (current: keyof typeof VERBS, done: number, total: number) => {
      if (isSilent) return
      if (terminal.isLive) {
        terminal.status(`${VERBS[current]} ${formatNumber(done)} of ${formatNumber(total)}`)
      } else if (phase !== current) {
        terminal.err(`${VERBS[current]} ${formatNumber(total)}…\n`)
      }
      phase = current
    },
    /** Shows nothing from now on, so that the last message stays visible. */
    freeze: () => {
      isSilent = true
    },
    stop: () => terminal.status(''),
  }
}
