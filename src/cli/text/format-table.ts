import { escapeControlInLine } from '../../core/escape-control.ts'
import { countColumns, cutToColumns, wrapToColumns } from '../../core/text-columns.ts'

interface TextColumn {
  readonly title: string
  /** Numbers stand at the right. */
  readonly align?: 'right'
  /** Whether its cells are cut where the table is too wide; what is copied, such as an id, never is. */
  readonly isFlexible?: boolean
  /** Only of the last column: its cells are not cut but go on in another line. */
  readonly isWrapped?: boolean
}

/** Cells of flexible columns keep this many columns at least. */
const NARROWEST = 6

const GAP = 2

/** Lines of a table. @param width most columns of a line */
export function formatTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => row.map((cell) => escapeControlInLine(cell))),
  ]
  const widths = fitWidths(columns, cells, width)
  const lines = cells
    .flatMap((row) => (columns.at(-1)?.isWrapped === true ? wrapLast(row, widths.at(-1) ?? 0) : [row]))
    .map((row) =>
      row
        .map((cell, index) => fitCell(cell, widths[index] ?? 0, columns[index]?.align))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
  return lines.map((line) => `${line}\n`).join('')
}

/** A row whose last cell does not fit goes on in rows that have nothing else. */
function wrapLast(row: readonly string[], width: number): (readonly string[])[] {
  const others = row.slice(0, -1)
  return wrapToColumns(row.at(-1) ?? '', width).map((text, index) => [
    ...(index === 0 ? others : others.map(() => '')),
    text,
  ])
}

/** The widest flexible column gives way first. */
function fitWidths(
  columns: readonly TextColumn[],
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
