import type { Report } from '../../inspect/report/report.ts'
import { formatNumber } from '../../core/format-number.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { wrapToColumns } from '../../core/text-columns.ts'
import { formatExceeded } from './format-exceeded.ts'
import { prettyAdvice } from './pretty/advice-section.ts'
import { prettyNotes, prettyTranslations, prettyUnowned } from './pretty/article-sections.ts'
import { brokenSection } from './pretty/broken-section.ts'
import { prettyCategories } from './pretty/category-section.ts'
import { prettyChanges } from './pretty/change-section.ts'
import { prettyDisagreements } from './pretty/disagreement-section.ts'
import type { PrettyView } from './pretty/pretty-view.ts'
import { reportHead } from './pretty/report-head.ts'
import { dueSection, laterSections, overdueSection, undatedSection } from './pretty/review-sections.ts'

/** The report for people at a terminal: what is wrong first, what to do last. Only places to jump to may be wider than it. */
export function formatReportPretty(report: Report, view: PrettyView): string {
  const wrong = [...overdueSection(report, view), ...brokenSection(report, view)]
  const rest = [
    dueSection,
    prettyDisagreements,
    prettyTranslations,
    undatedSection,
    laterSections,
    prettyUnowned,
    prettyCategories,
    prettyChanges,
    prettyNotes,
    prettyAdvice,
  ].flatMap((section) => section(report, view))
  const body = view.quiet ? wrong : [...reportHead(report, view), ...wrong, ...rest]
  const lines = [...body, ...verdict(report, view)]
  // Sections begin with an empty line, and the first one here needs none.
  const first = lines[0] === '' ? 1 : 0
  return lines
    .slice(first)
    .map((line) => `${line}\n`)
    .join('')
}

/** The last word. */
function verdict({ exceeded, counts }: Report, { colors, columns, quiet }: PrettyView): string[] {
  const limits = formatExceeded(exceeded)
  if (limits !== undefined)
    return ['', ...wrapToColumns(escapeControlInLine(limits), columns).map((line) => colors.red(line))]
  if (quiet || counts.overdue > counts.acceptedOverdue || counts.broken > counts.acceptedBroken) return []
  const isAccepted = counts.overdue + counts.broken > 0
  const rest = isAccepted ? ', but for what the baseline accepts' : ''
  if (counts.brokenHere === 0)
    return ['', colors.green(`Nothing is overdue, and the target calls no link broken${rest}.`)]
  const here = `Nothing is overdue, and the target calls no link broken${rest}; seen from here, ${formatNumber(counts.brokenHere)} ${counts.brokenHere === 1 ? 'is' : 'are'}.`
  return ['', ...wrapToColumns(here, columns).map((line) => colors.yellow(line))]
}
