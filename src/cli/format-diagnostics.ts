import type { Diagnostic } from '../model/diagnostic.ts'
import { printable, printableLine } from '../util/printable.ts'
import type { Terminal } from './terminal.ts'
import { counted } from '../util/counted.ts'

/** Problems for people: the place first, as editors and terminals link it. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  { colors }: Pick<Terminal, 'colors'>,
): string {
  return diagnostics
    .map(({ file, line, column, severity, message, code, hint }) => {
      const name = severity === 'error' ? colors.red('error') : colors.yellow('warning')
      const place = colors.bold(`${printableLine(file)}:${line}:${column}`)
      const advice = hint === undefined ? '' : `  ${colors.dim('hint:')} ${printable(hint)}\n`
      return `${place} ${name} ${colors.dim(code)}\n  ${printable(message)}\n${advice}`
    })
    .join('\n')
}

/** GitHub's workflow commands. `prefix` leads from the repository's root to the project, '' or ending in a slash. */
export function formatAnnotations(diagnostics: readonly Diagnostic[], prefix: string): string {
  return diagnostics
    .map(({ file, line, column, severity, message, code, hint }) => {
      const place = `file=${escapeProperty(prefix + file)},line=${line},col=${column},title=${escapeProperty(code)}`
      return `::${severity} ${place}::${escapeData(hint === undefined ? message : `${message} ${hint}`)}\n`
    })
    .join('')
}

/** `2 errors and 1 warning in 34 articles`. */
export function formatCount(diagnostics: readonly Diagnostic[], articles: number): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  const parts = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]
  return `${parts.length === 0 ? 'No problems' : parts.join(' and ')} in ${counted(articles, 'article')}.`
}

function escapeData(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
