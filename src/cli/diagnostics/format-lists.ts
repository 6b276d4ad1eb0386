// Problems as lists without code frames, one line each.
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatNumber } from '../../core/format-number.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { countCodes, kindOf } from './format-summary.ts'

type Colors = Pick<Terminal['colors'], 'bold' | 'dim' | 'red' | 'yellow'>

/** Formats `file:line:column severity code message`, the format of compilers, which editors read. */
export function formatConcise(diagnostics: readonly Diagnostic[], colors: Colors, max: number): string {
  return linesOf(
    diagnostics.slice(0, max).map((each) => {
      const place = colors.bold(`${escapeControlInLine(each.file)}:${placeIn(each)}`)
      return `${place} ${paint(each, each.severity, colors)} ${colors.dim(each.code)} ${messageOf(each)}`
    }),
  )
}

/** Formats problems grouped by file. */
export function formatByFile(diagnostics: readonly Diagnostic[], colors: Colors, max: number): string {
  return [...groupBy(diagnostics.slice(0, max), ({ file }) => file)]
    .map(([file, found]) => {
      const width = Math.max(...found.map((each) => placeIn(each).length))
      const lines = found.map(
        (each) =>
          `  ${placeIn(each).padEnd(width)} ${paint(each, each.severity.padEnd(7), colors)} ${colors.dim(each.code)} ${messageOf(each)}`,
      )
      return linesOf([colors.bold(escapeControlInLine(file)), ...lines])
    })
    .join('\n')
}

/** Formats problems grouped by code, errors first. Each number includes those that are not shown. */
export function formatByCode(diagnostics: readonly Diagnostic[], colors: Colors, max: number): string {
  const byCode = groupBy(diagnostics, kindOf)
  let room = max
  return countCodes(diagnostics)
    .flatMap(([first, count]) => {
      const shown = (byCode.get(kindOf(first)) ?? []).slice(0, room)
      room -= shown.length
      if (shown.length === 0) return []
      const head = `${paint(first, first.severity, colors)} ${colors.bold(first.code)} (${formatNumber(count)})`
      const lines = shown.map(
        (each) => `  ${escapeControlInLine(each.file)}:${placeIn(each)} ${messageOf(each)}`,
      )
      return [linesOf([head, ...lines])]
    })
    .join('\n')
}

function placeIn({ line, column }: Diagnostic): string {
  return `${line}:${column}`
}

function messageOf({ message }: Diagnostic): string {
  return escapeControlInLine(message)
}

function paint({ severity }: Diagnostic, text: string, colors: Colors): string {
  return severity === 'error' ? colors.red(text) : colors.yellow(text)
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
