import { pluralize } from '../../core/pluralize.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import type { KbWatchEvent, WatchSummary } from '../../kb/watch-events.ts'
import { viewOn } from '../diagnostics/diagnostic-view.ts'
import { formatDiagnostics } from '../../core/code-frame/format-diagnostics.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapToColumns } from '../../core/text-columns.ts'
import { describeEvent, type Reported } from './describe-event.ts'
import { createStatusLine } from './status-line.ts'
import { formatLine, type WatchPiece } from './watch-line.ts'
import type { WatchReport } from './report-json.ts'

interface PrettyWatch {
  /** Project folder, from which lines of files are read for display. */
  readonly root: string
  readonly quiet: boolean
  readonly verbose: boolean
  readonly now: () => Date
}

/** Prints a watch for people: a line per change, new problems in full, and the status below. */
export function createPrettyReport(watch: PrettyWatch, terminal: Terminal): WatchReport {
  const { root, quiet, verbose, now } = watch
  const statusLine = createStatusLine(terminal)
  let reported = NOTHING_REPORTED
  const wrap = (text: string) => wrapToColumns(text, terminal.columns)
  const textOf = (piece: WatchPiece): string => {
    if (piece.kind === 'problems')
      return `${formatDiagnostics(piece.diagnostics, viewOn(terminal, root), verbose)}\n`
    const time = now().toTimeString().slice(0, 8)
    const lines = piece.kind === 'prose' ? wrap(piece.text) : formatLine(piece.line, time, terminal)
    return lines.map((line) => `${line}\n`).join('')
  }
  return {
    onEvent: (event) => {
      const pieces = describeEvent(event, reported, { quiet, verbose, colors: terminal.colors })
      reported = remember(event, reported)
      if (pieces.length > 0) terminal.out(pieces.map(textOf).join(''))
      if (event.kind === 'standing' && !quiet) statusLine.show(event.standing)
      else statusLine.restore()
    },
    end: (summary) => {
      statusLine.remove()
      if (!quiet)
        terminal.out(
          endLines(summary)
            .flatMap(wrap)
            .map((line) => `${line}\n`)
            .join(''),
        )
    },
  }
}

const NOTHING_REPORTED: Reported = {
  content: '',
  isReady: false,
  heldBack: new Set(),
  everythingHeldBy: [],
  outage: undefined,
  isUnreadable: false,
  orphans: 0,
}

function remember(event: KbWatchEvent, before: Reported): Reported {
  const reported = { ...before, orphans: event.kind === 'orphaned' ? before.orphans + 1 : 0 }
  if (event.kind === 'started') return { ...reported, content: `${event.content}/` }
  if (event.kind === 'ready') return { ...reported, isReady: true }
  if (event.kind === 'problems') {
    const { heldBack, everythingHeldBy } = event
    return { ...reported, heldBack: new Set(heldBack), everythingHeldBy }
  }
  if (event.kind === 'offline') return { ...reported, outage: event.failure.code }
  if (event.kind === 'online') return { ...reported, outage: undefined }
  if (event.kind === 'unreadable') return { ...reported, isUnreadable: true }
  if (event.kind === 'readable') return { ...reported, isUnreadable: false }
  return reported
}

/** Maximum number of files named. */
const NAMED = 3

/** Returns the last lines: what was done, and what is left. */
function endLines(summary: WatchSummary): string[] {
  const { target, sent, pending, heldBack, failures, isComplete, failure } = summary
  const left = [
    ...(isComplete || failure !== undefined ? [] : ['files that were not compared with the target']),
    ...(pending > 0 ? [`${pluralize(pending, 'changed file')} not sent`] : []),
    ...(heldBack.length > 0
      ? [`${pluralize(heldBack.length, 'article')} with errors (${naming(heldBack)})`]
      : []),
    ...(failures.length > 0
      ? [
          `${pluralize(failures.length, 'article')} that could not be sent (${naming(failures.map(({ source }) => source))})`,
        ]
      : []),
  ]
  const head = `Stopped: ${pluralize(sent, 'article')} sent to ${escapeControlInLine(target)}.`
  if (left.length === 0 && failure === undefined) return [`${head} Everything was sent.`]
  const reason =
    failure === undefined ? [] : [`It could not continue: ${escapeControlInLine(failure.message)}`]
  const rest =
    left.length === 0 ? [] : [`Left: ${left.join(', ')}. The next kb watch or kb sync continues from there.`]
  return [head, ...reason, ...rest]
}

function naming(names: readonly string[]): string {
  const rest = names.length > NAMED ? ', …' : ''
  return `${escapeControlInLine(names.slice(0, NAMED).join(', '))}${rest}`
}
