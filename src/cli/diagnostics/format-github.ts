import type { Diagnostic, Span } from '../../core/model/diagnostic.ts'
import { escapeControl } from '../../core/escape-control.ts'

/** Maximum number of errors, and of warnings, that GitHub shows per step. */
const SHOWN_OF_A_SEVERITY = 10

interface Annotation extends Span {
  readonly severity: 'error' | 'warning' | 'notice'
  readonly code: string
  readonly message: string
  readonly hint?: string
  /** Relative to the project, with `/`. */
  readonly file: string
}

/**
 * Formats GitHub's workflow commands.
 *
 * @param prefix path from the root of the repository to the project, '' or with a trailing slash
 */
export function formatAnnotations(annotations: readonly Annotation[], prefix: string): string {
  return annotations
    .map(({ severity, message, code, hint, ...place }) => {
      const properties = [`file=${escapeProperty(prefix + place.file)}`, ...extentOf(place), `title=${code}`]
      return `::${severity} ${properties.join(',')}::${escapeData(hint === undefined ? message : `${message} ${hint}`)}\n`
    })
    .join('')
}

/** Formats a message without a file. */
export function formatNotice(severity: Annotation['severity'], message: string, title = 'kb check'): string {
  return `::${severity} title=${escapeProperty(title)}::${escapeData(message)}\n`
}

/** Returns the diagnostics that GitHub would show, in their order. */
export function takeShown(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const counts = { error: 0, warning: 0 }
  return diagnostics.filter(({ severity }) => ++counts[severity] <= SHOWN_OF_A_SEVERITY)
}

/** Puts problems in files changed by this change first, and otherwise keeps the order. */
export function changedFirst(
  diagnostics: readonly Diagnostic[],
  prefix: string,
  changed: ReadonlySet<string>,
): readonly Diagnostic[] {
  const isChanged = ({ file }: Diagnostic) => changed.has(prefix + file)
  return [...diagnostics.filter(isChanged), ...diagnostics.filter((diagnostic) => !isChanged(diagnostic))]
}

/** GitHub accepts columns only for a range within one line. */
function extentOf({ line, column, end }: Span): string[] {
  if (end === undefined) return [`line=${line}`, `col=${column}`]
  if (end.line !== line) return [`line=${line}`, `endLine=${end.line}`]
  return [`line=${line}`, `endLine=${line}`, `col=${column}`, `endColumn=${end.column}`]
}

function escapeData(text: string): string {
  return escapeControl(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
