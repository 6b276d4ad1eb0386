import type { TerminalStyle } from '../terminal/terminal.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import { countColumns, wrapToColumns } from '../../core/text-columns.ts'

/** A line of output of a watch: `14:03:22 updated  guides/reset.md → /articles/reset  38 ms`. */
export interface WatchLine {
  readonly word: string
  readonly paint: (text: string) => string
  /** The subject. A path is never cut, so that it can be copied; `isProse`: a sentence, which may be wrapped. */
  readonly name: string
  readonly isProse?: boolean
  /** Omitted if there is no space for it. */
  readonly url?: string | undefined
  readonly duration?: string | undefined
  /** On the next line if there is no space after the name. */
  readonly reason?: string | undefined
  readonly more?: readonly string[]
}

/** Number of lines of one kind before the rest is counted. */
export const LISTED_LINES = 5

/** The longest words are `conflict` and `replaced`. */
const WORD = 8

const INDENT = ' '.repeat('14:03:22 '.length)

/** @param time local time of day */
export function formatLine(line: WatchLine, time: string, { colors, columns }: TerminalStyle) {
  const { word, paint, reason = '', more = [] } = line
  const name = escapeControlInLine(line.name)
  const url = line.url === undefined ? '' : ` → ${escapeControlInLine(line.url)}`
  const duration = line.duration === undefined ? '' : `  ${line.duration}`
  const behind = reason === '' ? '' : ` (${escapeControlInLine(reason)})`
  const fits = (text: string) => countColumns(`${INDENT}${word.padEnd(WORD)} ${text}${duration}`) <= columns
  const isReasonBehind = fits(`${name}${behind}`)
  const rest = isReasonBehind ? behind : ''
  const shownUrl = fits(`${name}${url}${rest}`) ? url : ''
  const below =
    isReasonBehind || reason === '' ? [] : wrapToColumns(escapeControlInLine(reason), columns - INDENT.length)
  const padding = ' '.repeat(Math.max(0, WORD - word.length))
  const behindWord = columns - INDENT.length - WORD - 1
  const said = line.isProse === true ? wrapToColumns(`${name}${duration}`, behindWord) : []
  const [head = '', ...tail] =
    said.length > 1 ? said : [`${name}${colors.dim(`${shownUrl}${rest}${duration}`)}`]
  const wrapped = more.flatMap((text) => wrapToColumns(escapeControlInLine(text), columns - INDENT.length))
  return [
    `${colors.dim(time)} ${paint(word)}${padding} ${head}`,
    ...tail.map((text) => `${INDENT}${' '.repeat(WORD + 1)}${text}`),
    ...[...below, ...wrapped].map((text) => `${INDENT}${colors.dim(text)}`),
  ]
}

export type WatchPiece =
  | { readonly kind: 'line'; readonly line: WatchLine }
  /** A sentence, which may be wrapped. */
  | { readonly kind: 'prose'; readonly text: string }
  /** Problems in full, as in kb check. */
  | { readonly kind: 'problems'; readonly diagnostics: readonly Diagnostic[] }

/** Formats `38 ms`, `1.2 s`, `2 min 5 s`: as precise as useful. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
