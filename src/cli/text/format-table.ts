import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatNumber } from '../../core/format-number.ts'
import { countColumns, cutToColumns, wrapToColumns } from '../../core/text-columns.ts'

export interface TextColumn<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: 'right'
  /** True if its cells may be cut. Text to copy, such as an id, is never cut. */
  readonly isFlexible?: boolean
  /** Only for the last column: its cells are wrapped instead of cut. */
  readonly isWrapped?: boolean
}

/** Minimum width of flexible columns. */
const NARROWEST = 6

const GAP = 2

export function countColumn<Row>(title: string, numberOf: (row: Row) => number): TextColumn<Row> {
  return { title, cell: (row) => formatNumber(numberOf(row)), align: 'right' }
}

export function formatTable<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number,
): string {
  return tableLines(columns, rows, width)
    .map((line) => `${line}\n`)
    .join('')
}

/** @param width maximum width of a line */
export function tableLines<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number,
): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => escapeControlInLine(cell(row)))),
  ]
  const widths = fitWidths(columns, cells, width)
  return cells
    .flatMap((row) => (columns.at(-1)?.isWrapped === true ? wrapLast(row, widths.at(-1) ?? 0) : [row]))
    .map((row) =>
      row
        .map((cell, index) => fitCell(cell, widths[index] ?? 0, columns[index]?.align))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
}

/** Wraps the last cell of a row into further rows. */
function wrapLast(row: readonly string[], width: number): (readonly string[])[] {
  const others = row.slice(0, -1)
  return wrapToColumns(row.at(-1) ?? '', width).map((text, index) => [
    ...(index === 0 ? others : others.map(() => '')),
    text,
  ])
}

/** The widest flexible column is reduced first. */
function fitWidths(
  columns: readonly Pick<TextColumn<never>, 'isFlexible'>[],
  cells: readonly (readonly string[])[],
  width: number,
): number[] {
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => countColumns(row[index] ?? ''))))
  const total = () => widths.reduce((sum, each) => sum + each + GAP, -GAP)
  while (total() > width) {
    const widest = Math.max(...widths.filter((_, index) => columns[index]?.isFlexible === true))
    if (widest <= NARROWEST) break
    widths[widths.findIndex((each, index) => each === widest && columns[index]?.isFlexible === true)] =
      widest - 1
  }
  return widths
}

function fitCell(cell: string, width: number, align: 'right' | undefined): string {
  const shown = cutToColumns(cell, width)
  const space = ' '.repeat(width - countColumns(shown))
  return align === 'right' ? space + shown : shown + space
}
