import type { Diagnostic } from '../../core/model/diagnostic.ts'
import { formatNumber } from '../../core/format-number.ts'
import { codeSpan, escapeMarkdown } from '../markdown/escape-markdown.ts'
import { limitSections, type Section } from '../markdown/limit-sections.ts'
import { countCodes, formatCount } from './format-summary.ts'

/** All problems as Markdown for GitHub's job summary, which shows no more than `limitBytes`. `diagnostics` as they are to be read. */
export function formatJobSummary(
  diagnostics: readonly Diagnostic[],
  articles: number,
  prefix: string,
  limitBytes: number,
): string {
  const intro = `### kb check\n\n${formatCount(diagnostics, articles)}\n`
  const codes: Section = {
    head: '| Problem | Severity | Count |\n| --- | --- | ---: |\n',
    items: countCodes(diagnostics).map(
      ([{ code, severity }, count]) => `| ${codeSpan(code)} | ${severity} | ${formatNumber(count)} |\n`,
    ),
    noun: 'kind',
  }
  const rows: Section = {
    head: '| Place | Severity | Problem | What to do |\n| --- | --- | --- | --- |\n',
    items: diagnostics.map((diagnostic) => formatRow(diagnostic, prefix)),
    noun: 'problem',
  }
  return `${limitSections(intro, [codes, rows], limitBytes)}\n`
}

function formatRow(
  { file, line, column, severity, code, message, hint = '' }: Diagnostic,
  prefix: string,
): string {
  const place = codeSpan(`${prefix}${file}:${line}:${column}`)
  return `| ${place} | ${severity} | ${codeSpan(code)}<br>${escapeMarkdown(message)} | ${escapeMarkdown(hint)} |\n`
}
