// The result of a run, or of a plan, as Markdown for the summary of a pipeline's job.
import type { ArticleDifference } from '../../core/model/article-difference.ts'
import { compareDiagnostics, type Diagnostic, countErrors, isError } from '../../core/model/diagnostic.ts'
import type { OperationResult } from '../../core/model/plan.ts'
import type { SyncResult } from '../../sync/sync-options.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { adviceLines } from './format-advice.ts'
import { describeValue, describeWhoOfFields, describeWhoOfText } from './format-difference.ts'
import { formatRecovery, operationName } from './format-sync-result.ts'
import { describeRejection, formatCounts, wasRejected } from './summarise-sync.ts'
import { wordOfOperation } from './list-entries.ts'
import { codeSpan, escapeMarkdown, fenced, tableRow } from '../markdown/escape-markdown.ts'
import { limitSections, type Section } from '../markdown/limit-sections.ts'

/** GitHub accepts at most 1 MiB for the summary of a step; it does not show a larger one. */
const LIMIT_BYTES = 1_000_000

/** @param limitBytes maximum size of the document */
export function formatSyncMarkdown(result: SyncResult, dryRun: boolean, limitBytes = LIMIT_BYTES): string {
  const intro = [titleOf(result, dryRun), ...noticesOf(result, dryRun)]
  return limitSections(
    intro.map((paragraph) => `${paragraph}\n`).join('\n'),
    [
      problemSection(result),
      adviceSection(result),
      operationSection(result, dryRun),
      differenceSection(result),
    ],
    limitBytes,
  )
}

function titleOf(result: SyncResult, dryRun: boolean): string {
  const { target, shard, diagnostics, failure, operations } = result
  const where = `${codeSpan(target)}${shard === undefined ? '' : `, shard ${shard}`}`
  if (wasRejected(result)) {
    const errors = countErrors(diagnostics)
    return `## ${dryRun ? 'Plan' : 'Sync'} for ${where}\n\n**${pluralize(errors, 'error')}**. ${describeRejection(result, { dryRun })}`
  }
  const word = failure === undefined ? 'Sync' : 'Stopped sync'
  const nothing = operations.length === 0 && failure === undefined ? ' Nothing to do.' : ''
  return `## ${dryRun ? 'Plan' : word} for ${where}\n\n**${formatCounts(result, dryRun)}.**${nothing}`
}

function noticesOf({ failure, guard, recovery }: SyncResult, dryRun: boolean): string[] {
  const hint = failure?.hint === undefined ? '' : ` ${escapeMarkdown(failure.hint)}`
  return [
    ...(failure === undefined ? [] : [`**${failure.code}**: ${escapeMarkdown(failure.message)}${hint}`]),
    ...(guard === undefined ? [] : [`**Held back**: ${escapeMarkdown(guard)}`]),
    ...(recovery === undefined ? [] : [`**Recovered**: ${escapeMarkdown(formatRecovery(recovery, dryRun))}`]),
  ]
}

/** Lists errors only: without errors, warnings are the subject of kb check. */
function problemSection({ diagnostics }: SyncResult): Section {
  const errors = diagnostics.filter(isError).toSorted(compareDiagnostics)
  return {
    head: tableHead('Problems', ['Place', 'Problem', 'Code']),
    items: errors.map((error) => tableRow([codeSpan(placeOf(error)), describe(error), codeSpan(error.code)])),
    noun: 'problem',
  }
}

function placeOf({ file, line, column }: Diagnostic): string {
  return `${file}:${line}:${column}`
}

function describe({ message, hint }: Diagnostic): string {
  return escapeMarkdown(hint === undefined ? message : `${message} ${hint}`)
}

function adviceSection({ operations }: SyncResult): Section {
  return {
    head: '### What to do about conflicts\n\n',
    items: adviceLines(operations).map((advice) => `- ${escapeMarkdown(advice)}\n`),
    noun: 'hint',
  }
}

function operationSection({ operations }: SyncResult, dryRun: boolean): Section {
  return {
    head: tableHead('Changes', ['', 'What', 'Why']),
    items: operations.map((operation) =>
      tableRow([wordOfOperation(operation, dryRun), codeSpan(operationName(operation)), whyOf(operation)]),
    ),
    noun: 'change',
  }
}

function whyOf({ reason = '', backup }: OperationResult): string {
  const kept = backup === undefined ? '' : `; kept in ${codeSpan(backup)}`
  return `${escapeMarkdown(reason)}${kept}`.replace(/^; /, '')
}

function differenceSection({ operations }: SyncResult): Section {
  return {
    head: '### Differences\n\n`-` is on the target, `+` in the file.\n\n',
    items: operations.flatMap((operation) =>
      operation.diff === undefined ? [] : [formatDetails(operationName(operation), operation.diff)],
    ),
    noun: 'difference',
  }
}

/** GitHub renders Markdown within HTML after an empty line. */
function formatDetails(name: string, { fields, text, changedBy }: ArticleDifference): string {
  const table = fields.map(({ field, target, file }) =>
    tableRow([field, codeSpan(describeValue(target)), codeSpan(describeValue(file))]),
  )
  const parts = [
    ...(table.length === 0
      ? []
      : [
          `Fields: ${describeWhoOfFields(fields, changedBy.fields)}\n`,
          `${rowsHead(['Field', 'On the target', 'In the file'])}${table.join('')}`,
        ]),
    ...(text === '' ? [] : [`Text: ${describeWhoOfText(changedBy.text)}\n`, fenced(hunksOf(text), 'diff')]),
    ...(table.length === 0 && text === '' ? ['Only markup that Markdown cannot represent.\n'] : []),
  ]
  return `<details><summary><code>${escapeHtml(name)}</code></summary>\n\n${parts.join('\n')}\n</details>\n`
}

/** Removes the lines before the first hunk, which name no file. */
function hunksOf(diff: string): string {
  const start = diff.search(/^@@/m)
  return start === -1 ? diff : diff.slice(start)
}

/** Inside an HTML block, Markdown is plain text. */
function escapeHtml(text: string): string {
  return escapeControlInLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function tableHead(title: string, columns: readonly string[]): string {
  return `### ${title}\n\n${rowsHead(columns)}`
}

function rowsHead(columns: readonly string[]): string {
  return `${tableRow(columns)}${tableRow(columns.map(() => '---'))}`
}
