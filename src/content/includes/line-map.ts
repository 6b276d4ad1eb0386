import type { Position, Span } from '../../core/model/diagnostic.ts'
import { lastAtOrBefore } from '../../core/sorted-lists.ts'

/** Consecutive lines of one file in a text that consists of several files. */
export interface LineRun {
  /** First line in the whole text, 1-based. */
  readonly start: number
  /** The included file; undefined for the article itself. */
  readonly source: string | undefined
  /** The same line in the file, 1-based. */
  readonly line: number
  /** Number of characters inserted before each line. */
  readonly indent: number
}

/** Maps positions in a text that consists of several files to positions in these files. */
export type LineMap = ReturnType<typeof createLineMap>

/** @param runs in text order; the first starts at line 1 */
export function createLineMap(runs: readonly LineRun[]) {
  const runOf = (line: number): LineRun | undefined => runs[lastAtOrBefore(runs, line, ({ start }) => start)]
  return {
    toRange: ({ line, column, end }: Span) => {
      const run = runOf(line)
      if (run === undefined) return { line, column }
      const { source } = run
      const range = { ...positionIn(run, { line, column }), ...(source !== undefined && { source }) }
      // A paragraph may start in one file and end in another.
      const last = end === undefined ? undefined : runOf(end.line)
      if (end === undefined || last === undefined || last.source !== source) return range
      return { ...range, end: positionIn(last, end) }
    },
  }
}

function positionIn({ start, line, indent }: LineRun, position: Position): Position {
  return { line: position.line - start + line, column: Math.max(1, position.column - indent) }
}
