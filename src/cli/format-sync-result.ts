import type { OperationResult, Summary } from '../model/plan.ts'
import type { Recovery } from '../plan/explain-recovery.ts'
import type { SyncResult } from '../sync/sync-options.ts'
import { printableLine } from '../util/printable.ts'
import { formatDifference } from './format-difference.ts'
import { plural } from './format-diagnostics.ts'
import { formatRecovery } from './format-recovery.ts'
import type { Terminal } from './terminal.ts'
import { grouped } from '../util/grouped.ts'

export interface SyncFormat {
  readonly dryRun: boolean
  readonly verbose: boolean
  readonly quiet: boolean
}

/** How many operations of one kind are listed before the rest is counted. */
const LISTED = 5

/** What a run did, or would do, for people. */
export function formatSyncResult(
  result: SyncResult,
  format: SyncFormat,
  terminal: Pick<Terminal, 'colors' | 'columns'>,
): string {
  if (wasRejected(result)) return rejection(result, format)
  const lines = format.quiet ? [] : listOperations(result.operations, format, terminal)
  const guard = result.guard === undefined ? [] : [`${terminal.colors.yellow('held back')}: ${result.guard}`]
  const recovery = result.recovery === undefined ? [] : [recoveryLine(result.recovery, terminal), '']
  return [...recovery, ...lines, ...guard, ...summaryLines(result, format)]
    .map((line) => `${line}\n`)
    .join('')
}

function recoveryLine(recovery: Recovery, { colors }: Pick<Terminal, 'colors'>): string {
  return `${colors.yellow('recovered')}: ${formatRecovery(recovery)}`
}

function wasRejected({ diagnostics, operations }: SyncResult): boolean {
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  return hasErrors && operations.every(({ kind, outcome }) => kind !== 'article' || outcome !== 'done')
}

function rejection({ diagnostics }: SyncResult, { dryRun }: SyncFormat): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return `${plural(errors, 'error')}. ${dryRun ? 'A sync would send nothing.' : 'Nothing was sent.'}\n`
}

const SIGNS = { create: '+', update: '~', replace: '~', delete: '-', conflict: '!', skip: '·' } as const

const PAST = {
  create: 'created',
  update: 'updated',
  replace: 'replaced',
  delete: 'deleted',
  conflict: 'conflict',
  skip: 'skipped',
} as const

function listOperations(
  operations: readonly OperationResult[],
  { dryRun, verbose }: SyncFormat,
  terminal: Pick<Terminal, 'colors' | 'columns'>,
): string[] {
  const { colors } = terminal
  const groups = new Map<string, string[]>()
  for (const operation of operations) {
    const word = wordOf(operation, dryRun)
    const key = `${word} ${operation.kind}`
    const group = groups.get(key) ?? []
    const sign = signOf(operation, colors)
    const reason = operation.reason === undefined ? '' : colors.dim(` (${printableLine(operation.reason)})`)
    const difference = operation.diff === undefined ? [] : formatDifference(operation.diff, terminal)
    group.push([`  ${sign} ${word.padEnd(8)} ${nameOf(operation)}${reason}`, ...difference].join('\n'))
    groups.set(key, group)
  }
  const lines = [...groups.values()].flatMap((group) => {
    // A difference was asked for to be seen.
    const isWhole = verbose || group.length <= LISTED + 1 || group.some((each) => each.includes('\n'))
    const shown = isWhole ? group : group.slice(0, LISTED)
    const hidden = group.length - shown.length
    return hidden === 0 ? shown : [...shown, `    and ${grouped(hidden)} more (--verbose lists all)`]
  })
  return lines.length === 0 ? [] : [...lines, '']
}

function signOf({ action, outcome }: OperationResult, colors: Terminal['colors']): string {
  if (outcome === 'failed') return colors.red('x')
  const paint = { create: colors.green, update: colors.yellow, replace: colors.yellow, delete: colors.red }
  return action === 'conflict' || action === 'skip' ? SIGNS[action] : paint[action](SIGNS[action])
}

function wordOf({ action, outcome }: OperationResult, dryRun: boolean): string {
  if (outcome === 'failed') return 'failed'
  if (outcome === 'skipped' && action !== 'conflict') return 'skipped'
  return dryRun ? action : PAST[action]
}

function nameOf({ kind, source, slug }: OperationResult): string {
  if (kind !== 'article') return `${kind} ${printableLine(slug)}`
  return printableLine(source === '' ? slug : source)
}

function summaryLines(
  { summary, taxonomy, requests, operations, target, failure }: SyncResult,
  { dryRun }: SyncFormat,
): string[] {
  const counts = countWords(summary)
  const taxonomyCounts = countWords({ ...taxonomy, unchanged: 0 })
  const articles = counts.length === 0 ? 'No articles' : `Articles: ${counts.join(', ')}`
  const rest = taxonomyCounts.length === 0 ? '' : ` · categories and tags: ${taxonomyCounts.join(', ')}`
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0)
  const writes = total - (requests['GET'] ?? 0) - (requests['OPTIONS'] ?? 0)
  const cost = `${plural(writes, 'write')}, ${plural(total, 'request')}`
  const ending = failure !== undefined ? 'Stopped' : operations.length === 0 ? 'Nothing to do' : 'Done'
  const end = dryRun
    ? `Planned for ${target}; nothing was written (${cost}).`
    : `${ending} on ${target}: ${cost}.`
  return [`${articles}${rest}.`, end]
}

function countWords(summary: Summary): string[] {
  const words: Readonly<Record<keyof Summary, string>> = {
    created: 'created',
    updated: 'updated',
    replaced: 'replaced',
    deleted: 'deleted',
    conflicts: summary.conflicts === 1 ? 'conflict' : 'conflicts',
    failed: 'failed',
    skipped: 'skipped',
    unchanged: 'unchanged',
    orphans: 'without a file (--prune deletes them)',
  }
  return (Object.keys(words) as (keyof Summary)[])
    .filter((key) => summary[key] > 0)
    .map((key) => `${grouped(summary[key])} ${words[key]}`)
}
