import { createTwoFilesPatch } from 'diff'
import type { PulledFile, PullResult, PullSummary } from '../pull/pull-options.ts'
import { groupBy } from '../util/group-by.ts'
import { grouped } from '../util/grouped.ts'
import { printableLine } from '../util/printable.ts'
import { plural } from './format-diagnostics.ts'
import type { SyncFormat } from './format-sync-result.ts'
import { formatTextDiff } from './format-text-diff.ts'
import type { Terminal } from './terminal.ts'
import { wrapToColumns } from './text-columns.ts'

/** How many files of one kind are listed before the rest is counted. */
const LISTED = 5

/** What a pull did, or would do with the whole difference, for people. */
export function formatPullResult(
  result: PullResult,
  format: SyncFormat,
  terminal: Pick<Terminal, 'colors' | 'columns'>,
): string {
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error').length
  if (errors > 0 && result.files.length === 0) return `${plural(errors, 'error')}. Nothing was pulled.\n`
  const lines = format.quiet ? [] : listFiles(result.files, format, terminal)
  return [...lines, ...summaryLines(result, format)].map((line) => `${line}\n`).join('')
}

const SIGNS = { create: '+', update: '~', conflict: '!', skip: '·' } as const

const PAST = { create: 'created', update: 'updated', conflict: 'conflict', skip: 'skipped' } as const

function listFiles(
  files: readonly PulledFile[],
  { dryRun, verbose }: SyncFormat,
  terminal: Pick<Terminal, 'colors' | 'columns'>,
): string[] {
  const groups = groupBy(files, (file) => wordOf(file, dryRun))
  const lines = [...groups.values()].flatMap((group) => {
    // Whoever asks what would be written wants to see all of it.
    const isAll = verbose || dryRun || group.length <= LISTED + 1
    const shown = isAll ? group : group.slice(0, LISTED)
    const hidden = group.length - shown.length
    return [
      ...shown.flatMap((file) => formatFile(file, dryRun, terminal)),
      ...(hidden === 0 ? [] : [`    and ${grouped(hidden)} more (--verbose lists all)`]),
    ]
  })
  return lines.length === 0 || lines.at(-1) === '' ? lines : [...lines, '']
}

function formatFile(
  file: PulledFile,
  dryRun: boolean,
  terminal: Pick<Terminal, 'colors' | 'columns'>,
): string[] {
  const { colors, columns } = terminal
  const parts = partsOf(file)
  const name = printableLine(file.file === '' ? file.slug : file.file)
  const head = `  ${signOf(file, colors)} ${wordOf(file, dryRun).padEnd(8)} ${name}${parts === '' ? '' : colors.dim(` (${parts})`)}`
  const reason = file.reason === undefined ? [] : wrapToColumns(printableLine(file.reason), columns - 6)
  return [
    head,
    ...reason.map((line) => colors.dim(`      ${line}`)),
    ...(dryRun ? diffOf(file, terminal) : []),
  ]
}

function diffOf({ file, change }: PulledFile, terminal: Pick<Terminal, 'colors' | 'columns'>): string[] {
  if (change === undefined) return []
  const patch = createTwoFilesPatch(file, file, change.before ?? '', change.after)
  return [...formatTextDiff(patch, terminal, '      '), '']
}

function signOf({ action, outcome }: PulledFile, colors: Terminal['colors']): string {
  if (outcome === 'failed') return colors.red('x')
  const paint = { create: colors.green, update: colors.yellow, conflict: colors.yellow, skip: colors.dim }
  return paint[action](SIGNS[action])
}

function wordOf({ action, outcome }: PulledFile, dryRun: boolean): string {
  if (outcome === 'failed') return 'failed'
  if (outcome === 'skipped' && action !== 'conflict') return 'skipped'
  return dryRun ? action : PAST[action]
}

/** `title, order, text` of an edit; a new file takes everything. */
function partsOf({ action, fields, text }: PulledFile): string {
  return action === 'create' ? '' : [...fields, ...(text ? ['text'] : [])].join(', ')
}

function summaryLines({ summary, target, requests, failure }: PullResult, { dryRun }: SyncFormat): string[] {
  const counts = countWords(summary)
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0)
  const changed = summary.updated + summary.created + summary.conflicts + summary.skipped + summary.failed
  const ending = failure !== undefined ? 'Stopped' : changed === 0 ? 'Nothing to do' : 'Done'
  const end = dryRun
    ? `Looked at ${target}; no file was written (${plural(total, 'request')}).`
    : `${ending} from ${target}: ${plural(total, 'request')}, nothing was sent.`
  return [`${counts.length === 0 ? 'No files' : `Files: ${counts.join(', ')}`}.`, end]
}

function countWords(summary: PullSummary): string[] {
  const words: Readonly<Record<keyof PullSummary, string>> = {
    updated: 'updated',
    created: 'created',
    conflicts: summary.conflicts === 1 ? 'conflict' : 'conflicts',
    failed: 'failed',
    skipped: 'skipped',
    unchanged: 'unchanged',
  }
  return (Object.keys(words) as (keyof PullSummary)[])
    .filter((key) => summary[key] > 0)
    .map((key) => `${grouped(summary[key])} ${words[key]}`)
}
