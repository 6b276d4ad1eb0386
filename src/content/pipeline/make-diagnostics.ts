import { posix } from 'node:path'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { Ignores } from '../rules/ignored-lines.ts'
import { createSeverityOf } from '../../core/model/create-severity-of.ts'
import type { RuleSettings } from '../../core/model/diagnostic-codes.ts'
import type { ContentOptions } from './content-options.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import { relativePath } from '../../core/paths.ts'

/** Returns a function that names files in the content folder as in diagnostics. */
export function createFileNamer(options: Pick<ContentOptions, 'root' | 'contentRoot'>) {
  const prefix = relativePath(options.root, options.contentRoot)
  // The configuration of a site may be above the content folder.
  return (source: string): string => posix.join(prefix, source)
}

/** Converts problems of content files to diagnostics. Omits those of disabled rules and those ignored by a comment. */
export function toDiagnostics(
  options: Pick<ContentOptions, 'root' | 'contentRoot' | keyof RuleSettings>,
  ignores?: Ignores,
) {
  const fileOf = createFileNamer(options)
  const severityOf = createSeverityOf(options)
  // A file that is included several times, or is also an article, has each problem once.
  const known = new Set<string>()
  return ({ source: article, problem }: SourceProblem): Diagnostic[] => {
    const { code, line, column, end, hint, fix, source = article } = problem
    const severity = severityOf(code, source)
    if (severity === 'off' || ignores?.covers(problem, source) === true) return []
    // A name from a file must not start a new line in a report.
    const message = problem.message.replaceAll(/[\r\n]/g, (char) => (char === '\n' ? '\\u{a}' : '\\u{d}'))
    const name = [source, code, line, column, message].join('\0')
    if (known.has(name)) return []
    known.add(name)
    const place = { file: fileOf(source), line, column, ...(end && { end }) }
    return [{ code, severity, ...place, message, ...(hint !== undefined && { hint }), ...(fix && { fix }) }]
  }
}
