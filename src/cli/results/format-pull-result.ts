import { createTwoFilesPatch } from 'diff'
import type { PulledFile, PullResult, PullSummary } from '../../authoring/pull/pulled-files.ts'
import { countWords } from '../text/count-words.ts'
import { adviseOnPulled } from './format-advice.ts'
import { pluralize } from '../../core/pluralize.ts'
import type { SyncFormat } from './format-sync-result.ts'
import { formatTextDiff } from '../text/format-text-diff.ts'
import { listEntries } from './list-entries.ts'
import type { TerminalStyle } from '../terminal/terminal.ts'
import { formatJson } from '../text/format-json.ts'
import { toFailureReport } from '../failures/report-failure.ts'
import { countErrors } from '../../core/model/diagnostic.ts'

/** Formats the result of a pull, or of a dry run with all differences, for people. */
export function formatPullResult(result: PullResult, format: SyncFormat, terminal: TerminalStyle): string {
  const errors = countErrors(result.diagnostics)
  if (errors > 0 && result.files.length === 0) return `${pluralize(errors, 'error')}. Nothing was pulled.\n`
  const lines = format.quiet ? [] : listFiles(result.files, format, terminal)
  return [...lines, ...summaryLines(result, format)].map((line) => `${line}\n`).join('')
}

function listFiles(files: readonly PulledFile[], { dryRun, verbose }: SyncFormat, terminal: TerminalStyle) {
  const entries = files.map((file) => ({
    ...file,
    label: file.action,
    name: file.file ?? file.slug,
    parts: partsOf(file),
    // A written file with a note.
    isNews: file.reason !== undefined && file.outcome === 'done',
    details: dryRun ? diffOf(file, terminal) : [],
  }))
  const advice = adviseOnPulled(files, terminal)
  return [
    // A dry run shows everything that would be written.
    ...listEntries(entries, { dryRun, isWhole: verbose || dryRun }, terminal),
    ...(advice.length === 0 ? [] : [...advice, '']),
  ]
}

function diffOf({ file = '', change }: PulledFile, terminal: TerminalStyle): string[] {
  if (change === undefined) return []
  const patch = createTwoFilesPatch(file, file, change.before ?? '', change.after)
  return [...formatTextDiff(patch, terminal, '      '), '']
}

/** Returns `title, order, text` for an edit. A new file contains all parts. */
function partsOf({ action, fields, text }: PulledFile): string {
  return action === 'create' ? '' : [...fields, ...(text ? ['text'] : [])].join(', ')
}

function summaryLines({ summary, target, requests, failure }: PullResult, { dryRun }: SyncFormat): string[] {
  const counts = countWords(summary, WORDS)
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0)
  const changed = summary.updated + summary.created + summary.conflicts + summary.skipped + summary.failed
  const ending = failure !== undefined ? 'Stopped' : changed === 0 ? 'Nothing to do' : 'Done'
  const end = dryRun
    ? `Read ${target}; no file was written (${pluralize(total, 'request')}).`
    : `${ending} from ${target}: ${pluralize(total, 'request')}, nothing was sent.`
  return [`${counts.length === 0 ? 'No files' : `Files: ${counts.join(', ')}`}.`, end]
}

const WORDS: Readonly<Record<keyof PullSummary, string>> = {
  updated: 'updated',
  created: 'created',
  conflicts: 'conflicts',
  failed: 'failed',
  skipped: 'skipped',
  unchanged: 'unchanged',
}

/** Formats `kb pull --json`: one document, always with the same structure. */
export function formatPullJson(result: PullResult): string {
  const { target, summary, files, diagnostics, requests, failure } = result
  return formatJson({
    version: 1,
    target,
    summary,
    // The texts are in the files, or in the output of --dry-run for people.
    files: files.map((file) => ({ ...file, file: file.file ?? '', change: undefined })),
    diagnostics,
    requests,
    ...(failure !== undefined && { error: toFailureReport(failure) }),
  })
}
