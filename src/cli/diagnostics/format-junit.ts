import { toXml } from 'xast-util-to-xml'
import { x } from 'xastscript'
import { type Diagnostic, countErrors } from '../../core/model/diagnostic.ts'
import { groupBy } from '../../core/group-by.ts'
import { escapeControl } from '../../core/escape-control.ts'

/**
 * Formats JUnit XML for GitLab and Jenkins: a suite per file, with a failed test per error, and a passed one with
 * output per warning. Test names contain no lines, so that a problem keeps its name when text moves. Without problems
 * there is one passed test, because a report without tests counts as an error.
 */
export function formatJunit(diagnostics: readonly Diagnostic[], prefix: string): string {
  const files = [...groupBy(diagnostics, ({ file }) => file)]
  const failures = countErrors(diagnostics)
  const suites =
    files.length === 0
      ? [x('testsuite', { name: 'kb check', tests: '1', failures: '0', errors: '0' }, x('testcase', PASSED))]
      : files.map(([file, found]) => suiteOf(prefix + file, found))
  const tests = String(Math.max(1, diagnostics.length))
  const counts = { name: 'kb check', tests, failures: String(failures), errors: '0' }
  const root = x(null, [
    { type: 'instruction', name: 'xml', value: 'version="1.0" encoding="UTF-8"' },
    x('testsuites', counts, suites),
  ])
  // `]]>` is not allowed in text, and the serialiser does not escape it.
  const xml = toXml(root, { closeEmptyElements: true }).replaceAll(']]>', ']]&gt;')
  return `${xml.replace('?><', '?>\n<')}\n`
}

const PASSED = { name: 'No problems', classname: 'kb check' }

function suiteOf(file: string, diagnostics: readonly Diagnostic[]) {
  const counts = {
    tests: String(diagnostics.length),
    failures: String(countErrors(diagnostics)),
    errors: '0',
  }
  const path = escapeControl(file).replaceAll('\n', '\\u{a}')
  const names = uniqueNames(diagnostics)
  const cases = diagnostics.map((diagnostic, index) =>
    x('testcase', { name: names[index], classname: path }, outcomeOf(diagnostic, path)),
  )
  return x('testsuite', { name: path, ...counts }, cases)
}

function outcomeOf({ severity, code, message, hint, line, column }: Diagnostic, path: string) {
  const place = `${path}:${line}:${column}`
  const text = escapeControl([place, message, ...(hint === undefined ? [] : [`hint: ${hint}`])].join('\n'))
  return severity === 'error'
    ? x('failure', { type: code, message: escapeControl(message) }, text)
    : x('system-out', `warning: ${text}`)
}

/** The same problem twice in a file needs two test names. */
function uniqueNames(diagnostics: readonly Diagnostic[]): string[] {
  const seen = new Map<string, number>()
  return diagnostics.map(({ code, message }) => {
    const name = escapeControl(`${code}: ${message}`)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}
