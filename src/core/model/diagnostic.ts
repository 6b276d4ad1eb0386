import type { DiagnosticCode, Severity } from './diagnostic-codes.ts'

/** A place in a text: both 1-based, columns in UTF-16 code units (as editors and unist count them). */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A place that may have an extent; `end` is the first position behind it. */
export interface Span extends Position {
  readonly end?: Position
}

/** A place in a text that may hold text of other files, too. */
export interface SourceRange extends Span {
  /** The file, as path under the content root, where it is an included one and not the one that is spoken of. */
  readonly source?: string
}

/** One change of a file's text: what stands from `start` up to `end` becomes `text`. */
export interface TextChange {
  readonly start: Position
  readonly end: Position
  readonly text: string
  /** What must stand there now; else nothing is changed. */
  readonly before?: string
}

/** A problem in the text of one file, before it is known which file holds the text. */
export interface Problem extends SourceRange {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint?: string
  /** Changes of the same file after which the problem is gone and nothing else is different; safe to make unasked. */
  readonly fix?: readonly TextChange[]
}

/** A problem in the user's files, as data. */
export interface Diagnostic extends Omit<Problem, 'source'> {
  readonly severity: Severity
  /** Relative to the project, with `/`. */
  readonly file: string
}

/** By file, then line, then column, then code: the order every report uses. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  if (a.line !== b.line) return a.line - b.line
  if (a.column !== b.column) return a.column - b.column
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0
}
