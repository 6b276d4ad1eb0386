import type { Position, Span } from '../model/diagnostic.ts'
import { escapeControl } from '../escape-control.ts'
import { countColumns, graphemesOf } from '../text-columns.ts'

/** Returns a line of a file (both as in diagnostics) without its line ending; undefined if there is none. */
export type ReadLine = (file: string, line: number) => string | undefined

/** Maximum number of lines shown of a range. */
const MOST_LINES = 3
const NARROWEST_COLUMNS = 20
const ELLIPSIS: Cell = { text: '…', columns: 1, start: -1, end: -1 }

/**
 * Returns the source lines with line numbers and the underlined range, at most `columns` wide; [] if the file or the
 * line does not exist.
 */
export function formatFrame(
  { file, line, column, end }: Span & { readonly file: string },
  readLine: ReadLine,
  columns: number,
  { gutter, mark }: { readonly gutter: (text: string) => string; readonly mark: (text: string) => string },
): string[] {
  const last = end?.line ?? line
  const shown = Math.min(last, line + MOST_LINES - 1)
  const width = String(shown).length
  const room = Math.max(NARROWEST_COLUMNS, columns - width - 5)
  const rows: string[] = []
  for (let number = line; number <= shown; number++) {
    const text = readLine(file, number)
    if (text === undefined) break
    const extent = extentOn(number, text, { line, column }, end)
    const drawn = drawLine(cellsOf(text), extent, room)
    rows.push(`  ${gutter(`${String(number).padStart(width)} |`)} ${drawn.text}`.trimEnd())
    // A blank line in a range has nothing to underline.
    if (number === line || text.trim() !== '')
      rows.push(`  ${gutter(`${' '.repeat(width)} |`)} ${drawn.indent}${mark(drawn.marks)}`)
  }
  if (rows.length > 0 && last > shown) rows.push(`  ${gutter(`${' '.repeat(width)} |`)} … to line ${last}`)
  return rows
}

interface Extent {
  readonly from: number
  readonly to: number
}

/** Returns the part of the range in one line, in code units, without the indentation of continuation lines. */
function extentOn(number: number, text: string, start: Position, end: Position | undefined): Extent {
  const from = number === start.line ? start.column - 1 : text.length - text.trimStart().length
  if (end === undefined) return { from, to: from }
  const to = number === end.line ? end.column - 1 : text.length
  // Trailing white space is not part of the range.
  return { from, to: from + (text.slice(from, to).trimEnd().length || to - from) }
}

function drawLine(cells: readonly Cell[], extent: Extent, room: number) {
  const isMarked = ({ start, end }: Cell) => end > extent.from && start < Math.max(extent.to, extent.from + 1)
  const window = cropAround(showTrailingSpace(cells, isMarked), isMarked, room)
  const first = window.findIndex(isMarked)
  const before = first === -1 ? window : window.slice(0, first)
  // A position beyond the end of the line has no character to underline.
  const marked = first === -1 ? 1 : columnsOf(window.filter(isMarked))
  return {
    text: window.map(({ text }) => text).join(''),
    indent: ' '.repeat(columnsOf(before)),
    marks: '^'.repeat(Math.max(1, marked)),
  }
}

/** Makes trailing white space visible if the range contains it. */
function showTrailingSpace(cells: readonly Cell[], isMarked: (cell: Cell) => boolean): Cell[] {
  const end = cells.findLastIndex(({ text }) => text.trim() !== '') + 1
  return cells.map((cell, index) =>
    index >= end && isMarked(cell) ? { ...cell, text: '·'.repeat(cell.columns) } : cell,
  )
}

/** Crops a line to the width, keeping the marked range. */
function cropAround(cells: readonly Cell[], isMarked: (cell: Cell) => boolean, room: number) {
  if (columnsOf(cells) <= room) return cells
  const found = cells.findIndex(isMarked)
  const place = found === -1 ? cells.length : found
  const marked = columnsOf(cells.filter(isMarked))
  // The marked range is shown whole if it fits, with equal context on both sides.
  const before = Math.max(Math.floor(room / 4), Math.floor((room - marked) / 2) - 1)
  const from = Math.max(0, takeBackwards(cells, place, Math.min(before, room - 3)))
  const isCutBefore = from > 0
  const to = takeForwards(cells, from, room - (isCutBefore ? 1 : 0))
  const isCutBehind = to < cells.length
  const window = cells.slice(from, isCutBehind ? takeForwards(cells, from, room - (isCutBefore ? 2 : 1)) : to)
  return [...(isCutBefore ? [ELLIPSIS] : []), ...window, ...(isCutBehind ? [ELLIPSIS] : [])]
}

function takeBackwards(cells: readonly Cell[], place: number, columns: number): number {
  let left = columns
  let at = place
  while (at > 0 && left >= (cells[at - 1]?.columns ?? 0)) left -= cells[--at]?.columns ?? 0
  return at
}

function takeForwards(cells: readonly Cell[], from: number, columns: number): number {
  let left = columns
  let at = from
  while (at < cells.length && left >= (cells[at]?.columns ?? 0)) left -= cells[at++]?.columns ?? 0
  return at
}

function columnsOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { columns }) => sum + columns, 0)
}

// A source line prepared for display: control and direction characters are escaped, tabs become spaces, and each cell
// keeps its offset.

const TAB_COLUMNS = 4

/** One grapheme of the source, as displayed. */
interface Cell {
  readonly text: string
  readonly columns: number
  /** Offset in the line, in UTF-16 code units from 0; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

function cellsOf(line: string): Cell[] {
  const cells: Cell[] = []
  let column = 0
  let start = 0
  for (const grapheme of graphemesOf(line)) {
    const text = grapheme === '\t' ? ' '.repeat(TAB_COLUMNS - (column % TAB_COLUMNS)) : show(grapheme)
    const columns = countColumns(text)
    cells.push({ text, columns, start, end: start + grapheme.length })
    column += columns
    start += grapheme.length
  }
  return cells
}

const INVISIBLE = /^\p{Cf}+$/u

/** Escapes direction marks and invisible characters. */
function show(grapheme: string): string {
  if (INVISIBLE.test(grapheme))
    return Array.from(grapheme, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`).join('')
  // A lone combining mark gets a dotted circle as its base.
  return /^\p{M}/u.test(grapheme) ? `\u25cc${escapeControl(grapheme)}` : escapeControl(grapheme)
}
