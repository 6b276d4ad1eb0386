import type { DiagnosticCode, Severity } from './diagnostic-codes.ts'

/** A position in a text: line and column are 1-based, columns in UTF-16 code units (as in editors and unist). */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A position or range; `end` is exclusive. */
export interface Span extends Position {
  readonly end?: Position
}

/** A range in a text that may include text of other files. */
export interface SourceRange extends Span {
  /** Path of an included file under the content root; undefined for the file itself. */
  readonly source?: string
}

/** A change of a file's text: `text` replaces the range from `start` to `end`. */
export interface TextChange {
  readonly start: Position
  readonly end: Position
  readonly text: string
  /** The expected current text. If it differs, nothing is changed. */
  readonly before?: string
}

/** A problem in a text whose file is not yet known. */
export interface Problem extends SourceRange {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint?: string
  /** Changes of the file that fix only this problem and are safe to apply without asking. */
  readonly fix?: readonly TextChange[]
}

/**
 * A problem in the user's files, as data. An `AddressProblem` of a URL becomes a `Problem` at each link with it, that of a
 * document a `SourceProblem`, and with the severity of its rule a diagnostic of a file of the project.
 */
export interface Diagnostic extends Omit<Problem, 'source'> {
  readonly severity: Severity
  /** Relative to the project, with `/`. */
  readonly file: string
}

export function isError({ severity }: Pick<Diagnostic, 'severity'>): boolean {
  return severity === 'error'
}

export function countErrors(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter(isError).length
}

/** Compares by file, line, column and code: the order of every report. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  if (a.line !== b.line) return a.line - b.line
  if (a.column !== b.column) return a.column - b.column
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0
}
