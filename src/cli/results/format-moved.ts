import type { ChangedFile, MoveResult } from '../../authoring/move/move-options.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { countColumns, wrapToColumns } from '../../core/text-columns.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { formatJson } from '../text/format-json.ts'

interface MovedFormat {
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly newSlug?: boolean | undefined
}

/** Number of files listed unless all are requested. */
const LISTED = 12

/** Formats the result of `kb mv`, or of a dry run with every link, for people. */
export function formatMoved(
  result: MoveResult,
  { quiet = false, verbose = false, newSlug = false }: MovedFormat,
  { columns }: Pick<Terminal, 'columns'>,
): string {
  const isWhole = verbose || result.dryRun
  const shown = isWhole ? result.files : result.files.slice(0, LISTED)
  const hidden = result.files.length - shown.length
  const list = [
    ...shown.flatMap((file) => fileLines(file, isWhole, newSlug, columns)),
    ...(hidden > 0 ? [`    and ${hidden} more (--verbose lists all)`] : []),
  ]
  const left = result.left.map(
    ({ file, reason }) =>
      `  ! ${escapeControlInLine(file)}\n${wrapToColumns(escapeControlInLine(reason), columns - 6)
        .map((line) => `      ${line}`)
        .join('\n')}`,
  )
  const groups = quiet ? [left] : [list, left, wrapToColumns(summary(result), columns)]
  return groups
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n')
}

export function formatMovedJson(result: MoveResult): string {
  return formatJson({ version: 1, ...result })
}

function fileLines(changedFile: ChangedFile, isWhole: boolean, newSlug: boolean, columns: number): string[] {
  const { file, links, slug, slugKeys, aliases, translationOf, seoBannerUrl } = changedFile
  const keys = Object.entries(slugKeys ?? { slug }).map(([key, value]) => `${key}: ${String(value)}`)
  const fate = newSlug ? 'written instead of the old slug' : 'added to it, to keep its URL'
  const count = links.length === 0 ? '' : ` (${pluralize(links.length, 'link')})`
  return [
    `  ~ ${escapeControlInLine(file)}${isWhole ? '' : count}`,
    ...(slug === undefined
      ? []
      : [`      ${escapeControlInLine(keys.join(', '))} ${keys.length === 1 ? 'is' : 'are'} ${fate}`]),
    ...(aliases === undefined ? [] : [`      aliases: ${escapeControlInLine(aliases.join(', '))}`]),
    ...(translationOf === undefined ? [] : [`      translationOf: ${escapeControlInLine(translationOf)}`]),
    ...(seoBannerUrl === undefined ? [] : [`      seoBannerUrl: ${escapeControlInLine(seoBannerUrl)}`]),
    ...(isWhole
      ? links.flatMap(({ line, before, after }) => {
          const [was, is] = [
            `      line ${line}: ${escapeControlInLine(before)}`,
            `→ ${escapeControlInLine(after)}`,
          ]
          return countColumns(`${was} ${is}`) > columns ? [was, `        ${is}`] : [`${was} ${is}`]
        })
      : []),
  ]
}

function summary({ from, to, moved, wasMoved, dryRun, files }: MoveResult): string {
  const links = files.reduce((sum, file) => sum + file.links.length, 0)
  const changed = files.filter((file) => file.links.length > 0).length
  const rewritten = links === 0 ? 'no link' : pluralize(links, 'link')
  const where = links === 0 ? '' : ` in ${pluralize(changed, 'file')}`
  const paths = `${escapeControlInLine(from)} → ${escapeControlInLine(to)}`
  if (wasMoved) {
    const verb = dryRun ? 'would be rewritten' : 'rewritten'
    return `${paths} was already moved: ${rewritten} ${verb}${where}.`
  }
  const count = moved === 1 ? '' : ` (${pluralize(moved, 'file')})`
  return dryRun
    ? `Would move ${paths}${count} and rewrite ${rewritten}${where}. Nothing was changed.`
    : `Moved ${paths}${count}, rewrote ${rewritten}${where}.`
}
