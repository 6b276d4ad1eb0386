import type { Problem, SourceRange, Span } from '../../core/model/diagnostic.ts'
import type { Document } from '../../core/model/document.ts'

/** A problem in the text of a document. */
export interface SourceProblem {
  readonly source: string
  readonly problem: Problem
}

/** The position for a missing key in the frontmatter: its opening `---`. */
export const FRONTMATTER_START: Span = { line: 1, column: 1, end: { line: 1, column: 4 } }

/** Adds the position of a frontmatter field, or the top of the file if the field is missing. */
export function atField(
  { source, positions }: Pick<Document, 'source' | 'positions'>,
  field: string,
  problem: Omit<Problem, 'line' | 'column'>,
): SourceProblem {
  return { source, problem: { ...problem, ...(positions[field] ?? FRONTMATTER_START) } }
}

/** Returns the range of an item without its other properties. */
export function rangeOf({ line, column, end, source }: SourceRange): SourceRange {
  return { line, column, ...(end && { end }), ...(source !== undefined && { source }) }
}
