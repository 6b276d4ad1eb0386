import { describeHeldBack } from '../../sync/admit-content.ts'
import { contentPrefix } from '../../core/paths.ts'
import type { Settings } from '../../core/config/settings.ts'
import { labelOf, type OperationResult } from '../../core/model/plan.ts'
import type { SyncResult } from '../../sync/sync-options.ts'
import { adviseOnConflicts } from './format-advice.ts'
import { formatDifference } from './format-difference.ts'
import { describeRejection, summariseSync, wasRejected } from './summarise-sync.ts'
import { pluralize } from '../../core/pluralize.ts'
import { listEntries } from './list-entries.ts'
import type { TerminalStyle } from '../terminal/terminal.ts'
import { wrapToColumns } from '../../core/text-columns.ts'
import type { Recovery } from '../../sync/plan/explain-recovery.ts'
import { formatNumber } from '../../core/format-number.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { countErrors } from '../../core/model/diagnostic.ts'

export interface SyncFormat {
  readonly dryRun: boolean
  readonly verbose: boolean
  readonly quiet: boolean
}

interface RunFormat extends SyncFormat {
  readonly project: Pick<Settings, 'root' | 'contentRoot'>
}

/** Formats the result of a run, or of a plan, for people. */
export function formatSyncResult(result: SyncResult, format: RunFormat, terminal: TerminalStyle): string {
  if (wasRejected(result)) return rejection(result, format)
  const lines = listOperations(format.quiet ? onlyUnsent(result) : result, format, terminal)
  const guard = result.guard === undefined ? [] : noticeLines('held back', result.guard, terminal)
  const recovery =
    result.recovery === undefined
      ? []
      : [...noticeLines('recovered', formatRecovery(result.recovery, format.dryRun), terminal), '']
  const { counts, end } = summariseSync(result, format)
  return [
    ...recovery,
    ...lines,
    ...guard,
    ...wrapToColumns(counts, terminal.columns),
    ...heldBackLines(result, format, terminal),
    end,
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function heldBackLines(result: SyncResult, { project }: RunFormat, { columns }: TerminalStyle): string[] {
  const { heldBack = [] } = result
  if (heldBack.length === 0) return []
  // Read only now: after a run for a few edits, all warnings are in a file.
  return wrapToColumns(
    `Held back: ${describeHeldBack(heldBack, result.diagnostics, contentPrefix(project))}.`,
    columns,
  )
}

function noticeLines(title: string, text: string, { colors, columns }: TerminalStyle): string[] {
  const [first = '', ...rest] = text
    .split('\n')
    .flatMap((line) => wrapToColumns(line, columns - title.length - 2))
  return [`${colors.yellow(title)}: ${first}`, ...rest.map((line) => `  ${line}`)]
}

function rejection(result: SyncResult, format: SyncFormat): string {
  return `${pluralize(countErrors(result.diagnostics), 'error')}. ${describeRejection(result, format)}\n`
}

/** Without its reason, a failure could not be corrected. */
function onlyUnsent(result: SyncResult): SyncResult {
  const operations = result.operations.filter(
    ({ action, outcome }) => outcome === 'failed' || action === 'conflict',
  )
  return { ...result, operations }
}

function listOperations(result: SyncResult, format: RunFormat, terminal: TerminalStyle): string[] {
  const { operations } = result
  const { dryRun, verbose } = format
  const hints = verbose ? new Map<string, string>() : hintsOfSkipped(result, format)
  const entries = operations.map((operation) => ({
    ...operation,
    label: labelOf(operation),
    name: operationName(operation),
    details: [
      ...hintLines(hints.get(operation.source ?? ''), terminal),
      ...(operation.diff === undefined ? [] : formatDifference(operation.diff, terminal)),
    ],
  }))
  // A requested difference is always shown completely.
  const isWhole = verbose || operations.some(({ diff }) => diff !== undefined)
  const advice = adviseOnConflicts(operations, terminal)
  return [
    ...listEntries(entries, { dryRun, isWhole }, terminal, ({ kind }) => kind),
    ...(advice.length === 0 ? [] : [...advice, '']),
  ]
}

/** Returns what helps with articles whose language the target lacks: each hint once, by the first source. */
function hintsOfSkipped(result: SyncResult, { project }: RunFormat): ReadonlyMap<string, string> {
  if (result.operations.every(({ action }) => action !== 'skip')) return new Map()
  const prefix = contentPrefix(project)
  const sources = new Map<string, string>()
  for (const { code, file, hint } of result.diagnostics)
    if (code === 'language-not-sent' && hint !== undefined && !sources.has(hint))
      sources.set(hint, file.slice(prefix.length))
  return new Map([...sources].map(([hint, source]) => [source, hint]))
}

function hintLines(hint: string | undefined, { colors, columns }: TerminalStyle): string[] {
  const lines = hint === undefined ? [] : wrapToColumns(`hint: ${hint}`, columns - 6)
  return lines.map((line) => colors.dim(`      ${line}`))
}

export function operationName({ kind, source, slug, name }: OperationResult): string {
  if (kind !== 'article') return `${kind} ${slug}`
  return source ?? name ?? slug
}

/** Maximum number of articles named. */
const NAMED = 3

/** Describes what was found of an interrupted run, in one or two sentences. */
export function formatRecovery({ writes, arrived, missing }: Recovery, dryRun: boolean): string {
  // A running watch writes its state a moment after it has sent something: in that case, nothing was interrupted.
  if (arrived === writes)
    return writes === 1
      ? '1 write of an earlier run was missing in the local state; the target has it.'
      : `${formatNumber(writes)} writes of an earlier run were missing in the local state; the target has them all.`
  const cut = `an earlier run was interrupted after ${pluralize(writes, 'write')}`
  const named = missing.slice(0, NAMED).map(escapeControlInLine).join(', ')
  const more = missing.length > NAMED ? ` and ${formatNumber(missing.length - NAMED)} more` : ''
  const names = named === '' ? '' : `: ${named}${more}`
  return `${cut}; the target has ${formatNumber(arrived)} of them. ${dryRun ? 'A sync' : 'This run'} completes the rest${names}.`
}
