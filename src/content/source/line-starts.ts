import type { Position } from '../../core/model/diagnostic.ts'
import { lastAtOrBefore } from '../../core/sorted-lists.ts'

/** Offsets of the starts of lines in a text. @param lineBreak global; default: a line feed */
export function lineStarts(text: string, lineBreak = /\n/g): readonly number[] {
  const starts = [0]
  for (const { 0: written, index } of text.matchAll(lineBreak)) starts.push(index + written.length)
  return starts
}

/** The position of an offset in the text whose lines start at `starts`. */
export function positionIn(starts: readonly number[], offset: number): Position {
  const index = lastAtOrBefore(starts, offset, (start) => start)
  return { line: index + 1, column: offset - (starts[index] ?? 0) + 1 }
}

/** For lines, most of which end without white space: far cheaper than a search for it. */
export function endsWithSpace(line: string): boolean {
  return line.endsWith(' ') || line.endsWith('\t')
}
