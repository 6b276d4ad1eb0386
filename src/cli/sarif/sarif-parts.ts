// What all our SARIF 2.1.0 logs share, as GitHub's code scanning takes them.
import type { Span } from '../../core/model/diagnostic.ts'
import { encodePath } from '../text/encode-path.ts'

export const SARIF_SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** GitHub takes no more results of one run. */
export const MOST_SARIF_RESULTS = 25_000

/** Columns are as in diagnostics: `columnKind` of the run is utf16CodeUnits. */
export function regionOf({ line, column, end }: Span) {
  const start = { startLine: line, startColumn: column }
  return end === undefined ? start : { ...start, endLine: end.line, endColumn: end.column }
}

/** A path as relative reference: a colon in its first part would be taken for a scheme without its encoding. */
export function artifactOf(path: string): { readonly uri: string } {
  return { uri: encodePath(path) }
}
