import type { Position } from '../model/diagnostic.ts'

/** Offsets at which the lines of a text begin. @param lineBreak global; default: a line feed */
export function lineStarts(text: string, lineBreak = /\n/g): readonly number[] {
  const starts = [0]
  for (const { 0: written, index } of text.matchAll(lineBreak)) starts.push(index + written.length)
  return starts
}

/** The place of an offset in the text whose lines begin at `starts`. */
export function positionIn(starts: readonly number[], offset: number): Position {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}
