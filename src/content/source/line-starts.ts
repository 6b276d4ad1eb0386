import type { Position } from '../../core/model/diagnostic.ts'
import { lastAtOrBefore } from '../../core/last-at-or-before.ts'

/** Offsets at which the lines of a text begin. @param lineBreak global; default: a line feed */
export function lineStarts(text: string, lineBreak = /\n/g): readonly number[] {
  const starts = [0]
  for (const { 0: written, index } of text.matchAll(lineBreak)) starts.push(index + written.length)
  return starts
}

/** The place of an offset in the text whose lines begin at `starts`. */
export function positionIn(starts: readonly number[], offset: number): Position {
  const index = lastAtOrBefore(starts, offset, (start) => start)
  return { line: index + 1, column: offset - (starts[index] ?? 0) + 1 }
}
