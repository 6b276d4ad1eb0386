// Lines of a report at a terminal.
import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatNumber } from '../../core/format-number.ts'
import { countColumns, cutToColumns, isPathOrUrl, wrapToColumns } from '../../core/text-columns.ts'
import type { LinkPlace, Owner } from '../../web/report/report.ts'
import type { RowArticle } from '../../web/report/report-rows.ts'
import { describeNowhere, describeOwners } from '../../web/report/report-words.ts'
import type { TerminalStyle } from '../terminal/terminal.ts'

/** The terminal of a report, and its level of detail. */
export interface PrettyView extends TerminalStyle {
  /** True if lists are complete, as far as the report contains them. */
  readonly verbose: boolean
  /** True to show only problems. */
  readonly quiet: boolean
}

export const INDENT = '    '

const GROUP_INDENT = '  '

export type Sign = 'x' | '!' | '?' | '·' | '+'

/** Returns the first entries, or all if there are only a few more. */
export function shortened<T>(entries: readonly T[], most: number, { verbose }: PrettyView): readonly T[] {
  return verbose || entries.length <= most + 1 ? entries : entries.slice(0, most)
}

interface ListedCounts {
  readonly total: number
  /** Entries that the baseline accepts; listed only with `verbose`. */
  readonly accepted: number
  /** Entries in the report. */
  readonly known: number
  readonly shown: number
}

/** Describes the number of entries not shown, and how to list them; undefined if all are shown. */
export function describeRest(counts: ListedCounts, { verbose }: PrettyView): string | undefined {
  const { total, accepted, known, shown } = counts
  if (shown >= total) return undefined
  if (verbose) return `and ${formatNumber(total - shown)} more (only counted)`
  const listed = known < total ? `${formatNumber(known - shown)} of them` : 'them'
  const reason = `(--verbose lists ${listed})`
  if (shown === 0) return `not listed here ${reason}`
  const hidden = total - accepted - shown
  const parts = [
    ...(hidden > 0 ? [`and ${formatNumber(hidden)} more`] : []),
    ...(accepted > 0 ? [`and ${formatNumber(accepted)} accepted`] : []),
  ]
  return `${parts.join(', ')} ${reason}`
}

export function heading(title: string, { colors, columns }: PrettyView): string[] {
  return wrapToColumns(title, columns).map((line) => colors.bold(line))
}

/** Formats the first line of an entry, cut to the width unless `verbose`. Paths, URLs and `behind` are never cut. */
export function entryLine(sign: Sign, text: string, behind: string, view: PrettyView): string {
  const { colors, columns, verbose } = view
  const paint = { x: colors.red, '!': colors.yellow, '?': colors.cyan, '·': colors.dim, '+': colors.green }
  const end = behind === '' ? '' : ` (${escapeControlInLine(behind)})`
  const room = Math.max(10, columns - INDENT.length - countColumns(end))
  const line = escapeControlInLine(text)
  const shown = verbose || isPathOrUrl(line) ? line : cutToColumns(line, room)
  return `  ${paint[sign](sign)} ${shown}${colors.dim(end)}`
}

/** Formats the common part of the entries below. `behind` is never cut. */
export function groupLine(text: string, behind: string, { colors, columns, verbose }: PrettyView): string {
  const end = ` (${behind})`
  const room = Math.max(10, columns - GROUP_INDENT.length - countColumns(end))
  const line = escapeControlInLine(text)
  return `${GROUP_INDENT}${colors.bold(verbose || isPathOrUrl(line) ? line : cutToColumns(line, room))}${colors.dim(end)}`
}

/** Formats a position as editors and terminals link it. It is never cut. */
export function placeLine({ file, line, column }: LinkPlace, { colors }: PrettyView): string {
  return `${INDENT}${colors.cyan(`${escapeControlInLine(file)}:${line}:${column}`)}`
}

/** Replaces the position of an article without a file. */
export function missingFileLine(article: RowArticle): string {
  return `${INDENT}${escapeControlInLine(`${describeNowhere(article)}; its id is ${article.id}`)}`
}

export function ownerLines(owners: readonly Owner[] | undefined, view: PrettyView): string[] {
  const text = describeOwners(owners)
  return text === undefined ? [] : noteLines(text, view)
}

export function noteLines(text: string, view: PrettyView): string[] {
  return wrapped(text, INDENT, view).map((line) => view.colors.dim(line))
}

/** @param indent before each line */
export function wrapped(text: string, indent: string, { columns }: PrettyView): string[] {
  return wrapToColumns(escapeControlInLine(text), columns - indent.length).map((line) => `${indent}${line}`)
}
