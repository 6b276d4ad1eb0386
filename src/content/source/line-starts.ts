import type { Position } from '../../core/model/diagnostic.ts'
import { lastAtOrBefore } from '../../core/sorted-lists.ts'

/** Returns the offsets of the line starts in a text. `lineBreak` must be global; default: a line feed. */
export function lineStarts(text: string, lineBreak = /\n/g): readonly number[] {
  const starts = [0]
  if (text.includes('\r'))
    for (const { 0: written, index } of text.matchAll(lineBreak)) starts.push(index + written.length)
  else for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the position of an offset in a text whose lines start at `starts`. */
export function positionIn(starts: readonly number[], offset: number): Position {
  const index = lastAtOrBefore(starts, offset, (start) => start)
  return { line: index + 1, column: offset - (starts[index] ?? 0) + 1 }
}

/** For lines, most of which end without white space, this is far cheaper than a search. */
export function endsWithSpace(line: string): boolean {
  return line.endsWith(' ') || line.endsWith('\t')
}
