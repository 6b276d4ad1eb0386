// Separate from the other messages: a run with nothing to do needs only this file, and starts faster.
import type { Summary } from '../../core/model/plan.ts'
import { hasErrors, type SyncResult } from '../../sync/sync-options.ts'
import { formatNumber } from '../../core/format-number.ts'
import { pluralize } from '../../core/pluralize.ts'
import { formatBytes } from '../../core/quantities.ts'
import { countWords } from '../text/count-words.ts'

/** Returns the last two sentences of a run: its counts, and its requests. */
export function summariseSync(
  { summary, taxonomy, files, requests, operations, target, shard, failure }: SyncResult,
  { dryRun }: { readonly dryRun: boolean },
): { readonly counts: string; readonly end: string } {
  const counts = `${formatCounts({ summary, taxonomy, files }, dryRun)}.`
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0)
  const cost = pluralize(total, 'request')
  const ending = failure !== undefined ? 'Stopped' : operations.length === 0 ? 'Nothing to do' : 'Done'
  const end = dryRun
    ? `Planned for ${target}; nothing was written (${cost}).`
    : `${ending} on ${target}${shard === undefined ? '' : `, shard ${shard}`}: ${cost}.`
  return { counts, end }
}

/** Returns true if those two sentences contain everything. */
export function areCountsEnough(result: SyncResult): boolean {
  const { operations, recovery, guard, failure } = result
  const hasEvents = recovery !== undefined || guard !== undefined || failure !== undefined
  return operations.length === 0 && !hasEvents && !hasErrors(result)
}

/** Returns true if an error in the content prevented sending. */
export function wasRejected(result: SyncResult): boolean {
  const { operations, heldBack } = result
  if (heldBack !== undefined || !hasErrors(result)) return false
  return operations.every(({ kind, outcome }) => kind !== 'article' || outcome !== 'done')
}

/** Describes what an error in the content has prevented. */
export function describeRejection(
  { operations }: Pick<SyncResult, 'operations'>,
  { dryRun }: { readonly dryRun: boolean },
): string {
  // Only the built-in server creates them before the articles are checked for missing ones.
  const isCreated = operations.some(
    ({ kind, outcome }) => kind !== 'article' && (outcome === 'done' || outcome === 'planned'),
  )
  if (isCreated)
    return dryRun
      ? 'A sync would create categories and tags, and send no article.'
      : 'Categories and tags were created; no article was sent.'
  return dryRun ? 'A sync would send nothing.' : 'Nothing was sent.'
}

/** Formats `Articles: 1 created · categories and tags: 2 updated`. */
export function formatCounts(
  { summary, taxonomy, files }: Pick<SyncResult, 'summary' | 'taxonomy' | 'files'>,
  dryRun = false,
): string {
  const words = dryRun ? PLANNED_WORDS : WORDS
  const articles = countWords(summary, words)
  const others = countWords({ ...taxonomy, unchanged: 0 }, words)
  const rest = others.length === 0 ? '' : ` · categories and tags: ${others.join(', ')}`
  return `${articles.length === 0 ? 'No articles' : `Articles: ${articles.join(', ')}`}${rest}${formatFiles(files, dryRun)}`
}

function formatFiles(files: SyncResult['files'], dryRun: boolean): string {
  if (files === undefined || files.uploaded === 0) return ''
  return ` · files: ${formatNumber(files.uploaded)} ${dryRun ? 'to upload' : 'uploaded'} (${formatBytes(files.bytes)})`
}

type Words = Readonly<Record<keyof Summary, string>>

const WORDS: Words = {
  created: 'created',
  updated: 'updated',
  replaced: 'replaced',
  deleted: 'deleted',
  conflicts: 'conflicts',
  failed: 'failed',
  skipped: 'skipped',
  unchanged: 'unchanged',
  orphans: 'without a file (deleted with --prune)',
}

const PLANNED_WORDS: Words = {
  ...WORDS,
  created: 'to create',
  updated: 'to update',
  replaced: 'to replace',
  deleted: 'to delete',
}
