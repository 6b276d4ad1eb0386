import { sumOf } from '../../core/group-by.ts'
import type { AssetsResult, PublishedAsset } from '../../inspect/check/assets/copy-assets.ts'
import { pluralize } from '../../core/pluralize.ts'
import { formatNumber } from '../../core/format-number.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatBytes } from '../../core/quantities.ts'
import { formatJson } from '../text/format-json.ts'
import { countErrors } from '../../core/model/diagnostic.ts'

const SIGNS: Readonly<Record<PublishedAsset['outcome'], string>> = { copied: '+', planned: '+', present: '=' }

interface AssetsFormat {
  /** As the user wrote it. */
  readonly folder: string
  /** True to list unchanged files. */
  readonly verbose: boolean
  readonly quiet: boolean
}

/** Formats the result of `kb assets`: a line per file, and a count. */
export function formatAssets(result: AssetsResult, { folder, verbose, quiet }: AssetsFormat): string {
  const { diagnostics, files } = result
  const errors = countErrors(diagnostics)
  if (errors > 0) return `${pluralize(errors, 'error')}: nothing was copied.\n`
  const shown = files.filter(({ outcome }) => verbose || outcome !== 'present')
  const list = shown.map(
    ({ outcome, source, name, bytes }) =>
      `${SIGNS[outcome]} ${escapeControlInLine(source)} (${formatBytes(bytes)})\n    ${escapeControlInLine(name)}\n`,
  )
  return quiet ? list.join('') : `${list.join('')}${countFiles(files, escapeControlInLine(folder))}\n`
}

function countFiles(files: readonly PublishedAsset[], folder: string): string {
  if (files.length === 0) return 'No article uses a file that needs a URL.'
  const fresh = files.filter(({ outcome }) => outcome !== 'present')
  const verb = fresh.some(({ outcome }) => outcome === 'planned') ? 'to be copied' : 'copied'
  const size = fresh.length === 0 ? '' : ` (${formatBytes(sumOf(fresh, ({ bytes }) => bytes))})`
  const present = files.length - fresh.length
  return `${pluralize(fresh.length, 'file')} ${verb} to ${folder}${size}, ${formatNumber(present)} already there.`
}

export function formatAssetsJson({ diagnostics, files }: AssetsResult): string {
  const count = (outcome: PublishedAsset['outcome']) => files.filter((file) => file.outcome === outcome)
  const summary = {
    files: files.length,
    copied: count('copied').length,
    present: count('present').length,
    planned: count('planned').length,
    bytes: sumOf(files, ({ bytes }) => bytes),
    errors: countErrors(diagnostics),
  }
  return formatJson({ version: 1, summary, files, diagnostics })
}
