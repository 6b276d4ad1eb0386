import type { DiagnosticCode, Severity } from './diagnostic-codes.ts'

/** A place in a text: both 1-based, columns in UTF-16 code units (as editors and unist count them). */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A problem in the text of one file, before it is known which file holds the text. */
export interface Problem extends Position {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint?: string
}

/** A problem in the user's files, as data. */
export interface Diagnostic extends Problem {
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
