// What all our SARIF 2.1.0 logs share, as GitHub's code scanning takes them.
import { digestParts } from '../../core/digest.ts'
import type { Span } from '../../core/model/diagnostic.ts'
import { createRepeatCounter } from '../text/count-repeats.ts'
import { encodePath } from '../text/encode-path.ts'
import { formatJson } from '../text/format-json.ts'

/** GitHub takes no more results of one run. */
export const MOST_SARIF_RESULTS = 25_000

/** A log with one run. Its columns are as in diagnostics: `columnKind` is utf16CodeUnits. */
export function formatSarifLog(run: { readonly columnKind: 'utf16CodeUnits' }): string {
  const $schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
  return formatJson({ $schema, version: '2.1.0', runs: [run] })
}

/** @param version of the program */
export function toolOf(version: string, rules: readonly object[]) {
  return { driver: { name: 'kb-sync', version, rules } }
}

/** Where a result stands. @param path relative to the repository */
export function locationOf(path: string, span: Span) {
  return { physicalLocation: { artifactLocation: artifactOf(path), region: regionOf(span) } }
}

export function regionOf({ line, column, end }: Span) {
  const start = { startLine: line, startColumn: column }
  return end === undefined ? start : { ...start, endLine: end.line, endColumn: end.column }
}

/** A path as relative reference: a colon in its first part would be mistaken for a scheme without its encoding. */
export function artifactOf(path: string): { readonly uri: string } {
  return { uri: encodePath(path) }
}

/** Makes the fingerprints of one log, from what stays the same where lines come and go; what is alike is counted. */
export function createFingerprints(): (identity: readonly string[]) => string {
  const repeatOf = createRepeatCounter()
  return (identity) => {
    const digest = digestParts(identity)
    return `${digest}:${repeatOf(digest)}`
  }
}
