// The common parts of our SARIF 2.1.0 logs, for GitHub's code scanning.
import { digestParts } from '../../core/digest.ts'
import type { Span } from '../../core/model/diagnostic.ts'
import { createRepeatCounter } from '../text/count-repeats.ts'
import { encodePath } from '../../core/encode-path.ts'
import { formatJson } from '../text/format-json.ts'

/** Maximum number of results per run on GitHub. */
export const MOST_SARIF_RESULTS = 25_000

/** Formats a log with one run. Columns are those of diagnostics: `columnKind` is utf16CodeUnits. */
export function formatSarifLog(run: { readonly columnKind: 'utf16CodeUnits' }): string {
  const $schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
  return formatJson({ $schema, version: '2.1.0', runs: [run] })
}

/** @param version version of the program */
export function toolOf(version: string, rules: readonly object[]) {
  return { driver: { name: 'kb-sync', version, rules } }
}

/** Returns the location of a result. `path` is relative to the repository. */
export function locationOf(path: string, span: Span) {
  return { physicalLocation: { artifactLocation: artifactOf(path), region: regionOf(span) } }
}

export function regionOf({ line, column, end }: Span) {
  const start = { startLine: line, startColumn: column }
  return end === undefined ? start : { ...start, endLine: end.line, endColumn: end.column }
}

/** Returns a path as a relative reference: an unencoded colon in its first part would be read as a scheme. */
export function artifactOf(path: string): { readonly uri: string } {
  return { uri: encodePath(path) }
}

/** Creates fingerprints from parts that stay the same when lines move, and numbers equal ones. */
export function createFingerprints(): (identity: readonly string[]) => string {
  const repeatOf = createRepeatCounter()
  return (identity) => {
    const digest = digestParts(identity)
    return `${digest}:${repeatOf(digest)}`
  }
}
