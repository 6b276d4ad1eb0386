import type { Problem, SourceRange, Span } from '../../core/model/diagnostic.ts'
import type { Document } from '../../core/model/document.ts'

/** A problem together with the article (by source) it is in. */
export interface SourceProblem {
  readonly source: string
  readonly problem: Problem
}

/** Where a line is to be added to the frontmatter: its opening `---`. */
export const FRONTMATTER_START: Span = { line: 1, column: 1, end: { line: 1, column: 4 } }

/** Puts a problem where the frontmatter field stands; at the top where the file does not write it. */
export function atField(
  { source, positions }: Pick<Document, 'source' | 'positions'>,
  field: string,
  problem: Omit<Problem, 'line' | 'column'>,
): SourceProblem {
  return { source, problem: { ...problem, ...(positions[field] ?? FRONTMATTER_START) } }
}

/** The range alone of something that stands there. */
export function rangeOf({ line, column, end, source }: SourceRange): SourceRange {
  return { line, column, ...(end && { end }), ...(source !== undefined && { source }) }
}
