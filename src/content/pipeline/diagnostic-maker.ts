import { relative, sep } from 'node:path'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import { severityOf } from '../../core/model/diagnostic-codes.ts'
import type { ContentOptions } from './content-options.ts'
import type { PlacedProblem } from '../source/placed-problem.ts'

/** Names files under the content root as diagnostics do. */
export function createFileNamer({
  root,
  contentRoot,
}: Pick<ContentOptions, 'root' | 'contentRoot'>): (source: string) => string {
  const prefix = relative(root, contentRoot).split(sep).join('/')
  return (source) => (prefix === '' ? source : `${prefix}/${source}`)
}

/** Turns problems of files under the content root into diagnostics of the project; those of rules that are off into none. */
export function diagnosticMaker(options: Pick<ContentOptions, 'root' | 'contentRoot' | 'rules'>) {
  const fileOf = createFileNamer(options)
  // A file that is included in many articles, or is one as well, has its problems once.
  const seen = new Set<string>()
  return ({ source: article, problem }: PlacedProblem): Diagnostic[] => {
    const severity = severityOf(problem.code, options.rules)
    if (severity === 'off') return []
    const { code, line, column, end, hint, fix, source = article } = problem
    // A name from a file must not begin a line of its own in a report.
    const message = problem.message.replaceAll(/[\r\n]/g, (char) => (char === '\n' ? '\\u{a}' : '\\u{d}'))
    if (isKnown([source, code, line, column, message].join('\0'), seen)) return []
    const place = { file: fileOf(source), line, column, ...(end && { end }) }
    return [{ code, severity, ...place, message, ...(hint !== undefined && { hint }), ...(fix && { fix }) }]
  }
}

function isKnown(name: string, seen: Set<string>): boolean {
  const known = seen.has(name)
  seen.add(name)
  return known
}
