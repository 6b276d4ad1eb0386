import { formatCounts } from '../results/summarise-sync.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { sentLines } from './format-sent.ts'
import { formatDuration, LISTED_LINES, type WatchLine, type WatchPiece } from './watch-line.ts'
import { reasonOf } from '../../core/errors/kb-error.ts'
import { outageOf } from '../../watch/reducer/announce.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatNumber } from '../../core/format-number.ts'
import { countHidden } from '../diagnostics/print-diagnostics.ts'
import { pluralize } from '../../core/pluralize.ts'
import type { KbWatchEvent, WatchedTarget } from '../../kb/watch-events.ts'

/** Returns the output for an event; may be empty. */
export function describeEvent(event: KbWatchEvent, reported: Reported, style: EventStyle): WatchPiece[] {
  const { colors, quiet, verbose } = style
  switch (event.kind) {
    case 'started':
      return (quiet ? pageLines(event) : openingLines(event)).map(prose)
    case 'ready':
      return describeReady(event, style)
    case 'sent':
      return sentLines(event, verbose, colors).map(line)
    case 'unchanged':
      return quiet ? [] : [line(describeUnchanged(event, colors))]
    case 'offers':
      return quiet ? [] : [prose(offersLine(event))]
    case 'held':
      return severalLines(event.sources, verbose, (source) => describeHeld(source, event, colors))
    case 'moved':
      return severalLines(event.files, verbose, ({ from, to }) => ({
        word: 'moved',
        paint: colors.green,
        name: `${from} → ${to}`,
      }))
    case 'gone':
      return severalLines(event.sources, verbose, (name) => ({ word: 'gone', paint: colors.yellow, name }))
    case 'orphaned':
      return describeOrphan(event, verbose ? 0 : reported.orphans, colors)
    case 'problems':
      return describeProblems(event, reported, style)
    case 'guarded':
      return [line(describeGuarded(event, colors))]
    case 'offline':
      // Without redrawing, each retry would add a line.
      return reported.outage === event.failure.code ? [] : [line(describeOutage(event, colors))]
    case 'online':
      return reported.outage === undefined
        ? []
        : [line({ word: 'online', paint: colors.green, name: recoveryFrom(reported.outage) })]
    case 'unreadable':
      return reported.isUnreadable ? [] : [line(describeUnreadable(event, colors))]
    case 'readable':
      return reported.isUnreadable
        ? [line({ word: 'content', paint: colors.green, name: 'can be read again' })]
        : []
    case 'configured':
      return describeConfigured(event, style)
    case 'page-failed':
      return [
        line({ word: 'page', paint: colors.red, name: 'could not be shown', reason: reasonOf(event.error) }),
      ]
    case 'settled':
    case 'standing':
      return []
  }
}

const line = (described: WatchLine): WatchPiece => ({ kind: 'line', line: described })
const prose = (text: string): WatchPiece => ({ kind: 'prose', text })

function describeGuarded({ reason }: Of<'guarded'>, colors: EventStyle['colors']): WatchLine {
  return { word: 'guard', paint: colors.yellow, name: 'held back', reason: reason.replaceAll('\n', ' ') }
}

type Of<Kind extends KbWatchEvent['kind']> = Extract<KbWatchEvent, { readonly kind: Kind }>

/** Completed operations of the first sync are counted; failures are listed. */
function describeReady({ result, durationMs }: Of<'ready'>, { colors, quiet, verbose }: EventStyle) {
  const unusual = result.operations.filter(
    ({ outcome, action }) => outcome === 'failed' || action === 'conflict',
  )
  const operations = verbose ? result.operations : unusual
  const counts = line({
    word: 'ready',
    paint: colors.green,
    name: formatCounts(result),
    isProse: true,
    duration: formatDuration(durationMs),
  })
  return [...sentLines({ operations, durationMs }, true, colors).map(line), ...(quiet ? [] : [counts])]
}

function describeUnchanged({ sources, durationMs }: Of<'unchanged'>, { dim }: Terminal['colors']): WatchLine {
  const [first = ''] = sources
  return {
    word: 'same',
    paint: dim,
    name: sources.length === 1 ? first : pluralize(sources.length, 'file'),
    reason: 'nothing to send',
    duration: formatDuration(durationMs),
  }
}

/** @param before number of orphans reported just before: another branch may lack hundreds of files */
function describeOrphan(event: Of<'orphaned'>, before: number, { yellow }: Terminal['colors']) {
  if (before > LISTED_LINES) return []
  const orphan = { word: 'orphan', paint: yellow }
  if (before === LISTED_LINES) return [line({ ...orphan, name: 'more files (--verbose lists all)' })]
  const until = event.isDelayed === true ? ' until nothing is held back' : '; --prune deletes it'
  const reason = `its article "${event.slug}" stays on the target${until}`
  return [line({ ...orphan, name: event.source, reason })]
}

function describeOutage({ failure, retryInMs }: Of<'offline'>, { red }: Terminal['colors']): WatchLine {
  return {
    word: outageOf(failure),
    paint: red,
    name: failure.message.split('\n', 1)[0] ?? '',
    isProse: true,
    more: [
      `${failure.code}; unsent changes are kept; next attempt in ${formatDuration(retryInMs)}`,
      // For a lock, there is nothing to do.
      ...(failure.hint === undefined || failure.code === 'LOCKED' ? [] : [failure.hint]),
    ],
  }
}

function recoveryFrom(outage: string): string {
  if (outage === 'LOCKED') return 'the other kb has finished'
  return outage === 'TARGET_REFUSED' ? 'the target accepts the API key again' : 'the target responds again'
}

function describeUnreadable({ failure }: Of<'unreadable'>, { red }: Terminal['colors']): WatchLine {
  return {
    word: 'content',
    paint: red,
    name: failure.message.split('\n', 1)[0] ?? '',
    isProse: true,
    more: [`${failure.code}; nothing is sent or deleted until it can be read again`],
  }
}

function describeHeld(
  name: string,
  { everythingHeldBy }: Of<'held'>,
  { yellow }: Terminal['colors'],
): WatchLine {
  const reason = `not sent until ${everythingHeldBy.length === 0 ? 'it is fixed' : untilFixed(everythingHeldBy)}`
  return { word: 'held', paint: yellow, name, reason }
}

function severalLines<T>(items: readonly T[], verbose: boolean, toLine: (item: T) => WatchLine) {
  const shown = verbose || items.length <= LISTED_LINES + 1 ? items : items.slice(0, LISTED_LINES)
  const lines = shown.map(toLine)
  const [first] = lines
  const hidden = items.length - shown.length
  if (hidden > 0 && first !== undefined)
    lines.push({ ...first, name: `${formatNumber(hidden)} more (--verbose lists all)` })
  return lines.map(line)
}

function describeConfigured({ failure, restartFor }: Of<'configured'>, { colors, quiet }: EventStyle) {
  if (failure !== undefined) {
    const [first = '', ...rest] = failure.message.split('\n')
    const more = [...rest, 'The last valid configuration stays in use until this is fixed.']
    return [line({ word: 'config', paint: colors.red, name: first, more })]
  }
  const reason = restartFor.length === 0 ? undefined : `restart kb watch to apply ${restartFor.join(', ')}`
  return quiet ? [] : [line({ word: 'config', paint: colors.green, name: 'reloaded', reason })]
}

/**
 * Describes new problems in full, fixed files, and held-back files. Warnings from the start of the watch are the
 * subject of kb check: they are counted, and shown only with `verbose`.
 */
function describeProblems(
  { appeared, fixed, heldBack, everythingHeldBy }: Extract<KbWatchEvent, { readonly kind: 'problems' }>,
  reported: Reported,
  { colors, quiet, verbose }: EventStyle,
): WatchPiece[] {
  const isShown = (severity: string) => severity === 'error' || verbose || (reported.isReady && !quiet)
  const shown = appeared.filter(({ severity }) => isShown(severity))
  const hidden = appeared.length - shown.length
  const sourceOf = (file: string) =>
    file.startsWith(reported.content) ? file.slice(reported.content.length) : file
  const reason = `nothing is sent until ${untilFixed(everythingHeldBy)}`
  return [
    ...(shown.length === 0 ? [] : [{ kind: 'problems' as const, diagnostics: shown }]),
    ...(hidden === 0 || quiet ? [] : [{ kind: 'prose' as const, text: countHidden(hidden) }]),
    ...severalLines(fixed, verbose, (file) => ({ word: 'fixed', paint: colors.green, name: sourceOf(file) })),
    ...(everythingHeldBy.length === 0 || everythingHeldBy.join() === reported.everythingHeldBy.join()
      ? []
      : [line({ word: 'held', paint: colors.yellow, name: 'everything', reason })]),
    ...describeHeldBack(heldBack.filter((source) => !reported.heldBack.has(source)).map(sourceOf), colors),
  ]
}

function describeHeldBack(sources: readonly string[], colors: Terminal['colors']): WatchPiece[] {
  const rows =
    sources.length > LISTED_LINES
      ? [{ name: pluralize(sources.length, 'article'), reason: 'not sent until they are fixed' }]
      : sources.map((name) => ({ name, reason: 'not sent until it is fixed' }))
  return rows.map((row) => line({ word: 'held', paint: colors.yellow, ...row }))
}

/** Formats `_categories.yml and _tags.yml are fixed`. */
function untilFixed(files: readonly string[]): string {
  return `${files.join(' and ')} ${files.length === 1 ? 'is' : 'are'} fixed`
}

interface EventStyle {
  readonly quiet: boolean
  readonly verbose: boolean
  readonly colors: Terminal['colors']
}

/** What was printed before. */
export interface Reported {
  /** The watched folder with a trailing slash: files are named as in operations. */
  readonly content: string
  readonly isReady: boolean
  /** Files that were reported as held back. */
  readonly heldBack: ReadonlySet<string>
  /** Taxonomy files that were reported as holding everything back. */
  readonly everythingHeldBy: readonly string[]
  /** Code of the failure, while nothing can be sent. */
  readonly outage: string | undefined
  readonly isUnreadable: boolean
  /** Number of orphans that were reported without another event in between. */
  readonly orphans: number
}

type Started = Extract<KbWatchEvent, { readonly kind: 'started' }>

/** Requests for a replace: lists, checks of both versions, creation of the new one, deletion of the old one. */
const REPLACE_REQUESTS = 11

/** Returns the first lines: the content, the target, and the URL of the pages. */
function openingLines(started: Started): string[] {
  return [
    `Watching ${escapeControlInLine(started.content)}, sending to ${nameTarget(started.target)}.`,
    ...(started.target.kind === 'builtin' ? [] : ['Readers see what you save there, unless it has errors.']),
    ...passedOverLines(started),
    ...pageLines(started),
  ]
}

function pageLines({ pages, portTaken }: Pick<Started, 'pages' | 'portTaken'>): string[] {
  if (pages === undefined) return []
  return [`Pages: ${pages}${portTaken === undefined ? '' : ` (port ${portTaken} is in use)`}`]
}

function offersLine({ updatesInPlace }: Extract<KbWatchEvent, { readonly kind: 'offers' }>): string {
  return updatesInPlace
    ? 'The target updates articles in place: 2 requests for each save.'
    : `The target cannot update articles in place. Each save replaces the article, with up to ${REPLACE_REQUESTS} requests and a new id.`
}

function passedOverLines({ passedOver }: Started): string[] {
  if (passedOver === undefined) return []
  const { name } = passedOver
  return [
    `The target ${nameTarget(passedOver)} from the configuration is not used; to send there, run kb watch --target ${escapeControlInLine(name)}.`,
  ]
}

/** Formats `the built-in server` or `production (https://help.example.com)`. */
function nameTarget({ kind, name, url = '' }: WatchedTarget): string {
  if (kind === 'builtin') return 'the built-in server'
  return escapeControlInLine(name === url ? url : `${name} (${url})`)
}
