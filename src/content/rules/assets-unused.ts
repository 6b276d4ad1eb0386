import type { PlacedProblem } from '../placed-problem.ts'

/** Files that could be shown or linked to, and that nothing names; `named` is in Unicode NFC. */
export function assetsUnused(assets: readonly string[], named: ReadonlySet<string>): PlacedProblem[] {
  return assets
    .filter((source) => !named.has(source.normalize('NFC')))
    .map((source) => ({
      source,
      problem: {
        code: 'asset-unused',
        line: 1,
        column: 1,
        message: 'No article, snippet or description uses this file.',
        hint: 'Delete it, or use it; files whose names begin with _ or a dot are left alone.',
      },
    }))
}
