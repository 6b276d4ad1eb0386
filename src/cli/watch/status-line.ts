import { pluralize } from '../../core/pluralize.ts'
import { formatNumber } from '../../core/format-number.ts'
import type { WatchStatus } from '../../watch/reducer/watch-event.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { cutToColumns } from '../../core/text-columns.ts'

/** Shorter work is not shown, because a line that flickers with every save is distracting. */
const CALM_MS = 250

/** Shows the status at the bottom of the terminal. A status that may not last is shown after a delay. */
export function createStatusLine(
  terminal: Terminal,
  schedule: (act: () => void, ms: number) => () => void = scheduleTimer,
) {
  let text = ''
  let cancel: (() => void) | undefined
  const draw = () => {
    if (text !== '') terminal.status((columns) => cutToColumns(text, columns))
  }
  const set = (status: WatchStatus) => {
    text = formatStatus(status)
    draw()
  }
  return {
    show: (status: WatchStatus) => {
      cancel?.()
      cancel = undefined
      if (status.state === 'sending' && text !== '') cancel = schedule(() => set(status), CALM_MS)
      else set(status)
    },
    /** Draws it again below printed output. */
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

const STATES = {
  starting: 'starting',
  watching: 'watching',
  sending: 'sending',
  offline: 'offline',
  refused: 'refused',
  locked: 'waiting for another kb',
  unreadable: 'content unreadable',
  stopping: 'stopping',
} as const satisfies Record<WatchStatus['state'], string>

/** Formats the status line: `watching · 12 sent · 1 error, 2 warnings`. */
function formatStatus(status: WatchStatus): string {
  const { state, pending, sent, conflicts, failed, errors, warnings } = status
  const problems = [
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(conflicts > 0 ? [pluralize(conflicts, 'conflict')] : []),
    ...(errors > 0 ? [pluralize(errors, 'error')] : []),
    ...(warnings > 0 ? [pluralize(warnings, 'warning')] : []),
  ]
  return [
    STATES[state],
    ...(pending > 0 ? [`${pluralize(pending, 'file')} waiting`] : []),
    ...(sent > 0 ? [`${formatNumber(sent)} sent`] : []),
    ...(problems.length > 0 ? [problems.join(', ')] : []),
  ].join(' · ')
}
