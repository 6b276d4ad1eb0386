// The report for the summary of a pipeline's job.
import type { Report } from '../../inspect/report/report.ts'
import { pluralize } from '../../core/pluralize.ts'
import { formatNumber } from '../../core/format-number.ts'
import { codeSpan, escapeMarkdown } from '../markdown/escape-markdown.ts'
import { limitSections, type Section } from '../markdown/limit-sections.ts'
import { describeChanges, describeTrend } from './describe-changes.ts'
import { formatExceeded } from './format-exceeded.ts'
import { listAdvice } from './list-advice.ts'
import type { MarkdownPlaces } from './markdown/markdown-cells.ts'
import { markdownTables } from './markdown/markdown-sections.ts'

/** GitHub takes 1 MiB for the summary of a step, and none of it where it is longer. */
const LIMIT_BYTES = 1_000_000

/** @param limitBytes most bytes of the document */
export function formatReportMarkdown(report: Report, how: MarkdownPlaces, limitBytes = LIMIT_BYTES): string {
  const limits = formatExceeded(report.exceeded)
  const changes = describeChanges(report.changes)
  const trend = describeTrend(report.history)
  const paragraphs = [
    `## Report on ${codeSpan(report.target)}, ${report.today}`,
    ...(limits === undefined ? [] : [`**${limits}**`]),
    overview(report),
    ...[changes, trend].filter((sentence) => sentence !== undefined),
  ]
  return limitSections(
    paragraphs.map((paragraph) => `${paragraph}\n`).join('\n'),
    [
      list('What to do', listAdvice(report)),
      ...markdownTables(report, how),
      list('Notes', report.notes.map(escapeMarkdown)),
    ],
    limitBytes,
  )
}

/** All numbers at one look. */
function overview({ counts, dueWithinDays }: Report): string {
  const { overdue, due, later, never, undated, broken, brokenHere, links, files, onTarget } = counts
  const here = brokenHere > 0 ? ` for the target, **${formatNumber(brokenHere)}** more seen from here` : ''
  const within = pluralize(dueWithinDays, 'day')
  return [
    `| Reviews overdue | Due within ${within} | Later | Never | Without date | Links broken | Articles in files | On the target |`,
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    `| **${formatNumber(overdue)}** | ${[due, later, never, undated].map(formatNumber).join(' | ')} | **${formatNumber(broken)}** of ${formatNumber(links)}${here} | ${formatNumber(files)} | ${formatNumber(onTarget)} |`,
  ].join('\n')
}

/** @param sentences as Markdown */
function list(title: string, sentences: readonly string[]): Section {
  return {
    head: `### ${title}\n\n`,
    items: sentences.map((sentence) => `- ${sentence}\n`),
    noun: 'sentence',
  }
}
