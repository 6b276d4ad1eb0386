// A line of a source file as it can be shown: what would move the cursor or turn the direction is written out, tabs are
// spaces, and each piece knows where it stood.
import { escapeControl } from '../escape-control.ts'
import { countColumns, graphemesOf } from '../text-columns.ts'

const TAB_COLUMNS = 4

/** One character of the source as it is shown. */
export interface Cell {
  readonly text: string
  readonly columns: number
  /** Where it stands in the line, in UTF-16 code units from 0; `end` is the first place behind it. */
  readonly start: number
  readonly end: number
}

export function cellsOf(line: string): Cell[] {
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

/** As it can be shown in a line of its own: direction marks are written out, and so is what no one would see. */
function show(grapheme: string): string {
  if (INVISIBLE.test(grapheme)) {
    return Array.from(grapheme, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`).join('')
  }
  // A combining mark that stands alone gets a circle to stand on.
  return /^\p{M}/u.test(grapheme) ? `\u25cc${escapeControl(grapheme)}` : escapeControl(grapheme)
}
