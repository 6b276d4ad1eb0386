import type { Problem } from '../model/diagnostic.ts'
import type { Document } from '../model/document.ts'

/** A problem together with the article (by source) it is in. */
export interface PlacedProblem {
  readonly source: string
  readonly problem: Problem
}

/** Puts a problem where the frontmatter field stands; at the top where the file does not write it. */
export function place(
  { source, positions }: Document,
  field: string,
  problem: Omit<Problem, 'line' | 'column'>,
): PlacedProblem {
  return { source, problem: { ...problem, ...(positions[field] ?? { line: 1, column: 1 }) } }
}
