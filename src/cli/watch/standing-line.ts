import type { Standing } from '../../watch/watch-event.ts'
import type { Terminal } from '../terminal.ts'
import { cutToColumns } from '../../core/text-columns.ts'
import { formatStanding } from './format-standing.ts'

export interface StandingLine {
  readonly show: (standing: Standing) => void
  /** Draws it again below what was printed. */
  readonly restore: () => void
  readonly remove: () => void
}

/** Work that is over sooner than this is not announced: a line that blinks with every save disturbs. */
const CALM_MS = 250

/** Shows where things stand at the bottom of the terminal, a moment later where it is only passing by. */
export function createStandingLine(
  terminal: Terminal,
  schedule: (act: () => void, ms: number) => () => void = scheduleTimer,
): StandingLine {
  let text = ''
  let cancel: (() => void) | undefined
  const draw = () => {
    if (text !== '') terminal.status((columns) => cutToColumns(text, columns))
  }
  const set = (standing: Standing) => {
    text = formatStanding(standing)
    draw()
  }
  return {
    show: (standing) => {
      cancel?.()
      cancel = undefined
      if (standing.state === 'sending' && text !== '') cancel = schedule(() => set(standing), CALM_MS)
      else set(standing)
    },
    restore: draw,
    remove: () => {
      cancel?.()
      text = ''
      terminal.status('')
    },
  }
}

function scheduleTimer(act: () => void, ms: number): () => void {
  const timer = setTimeout(act, ms).unref()
  return () => clearTimeout(timer)
}
