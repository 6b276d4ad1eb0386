import type { Progress } from '../sync/content-project.ts'
import type { Terminal } from './terminal.ts'
import { grouped } from '../util/grouped.ts'

const VERBS = { render: 'Reading and rendering', send: 'Sending' } as const

/** Shows how far a run is: one line that is redrawn on a terminal, a line for each phase elsewhere. */
export function createProgress(
  terminal: Terminal,
  isQuiet: boolean,
): { readonly onProgress: Progress; readonly stop: () => void } {
  let phase: keyof typeof VERBS | undefined
  return {
    onProgress: (current, done, total) => {
      if (isQuiet) return
      if (terminal.isLive) {
        terminal.status(`${VERBS[current]} ${grouped(done)} of ${grouped(total)}`)
      } else if (phase !== current) {
        terminal.err(`${VERBS[current]} ${grouped(total)}…\n`)
      }
      phase = current
    },
    stop: () => terminal.status(''),
  }
}
