import type { Report, ReportCounts } from '../../../inspect/report/report.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import { wrapToColumns } from '../../../core/text-columns.ts'
import type { PrettyView } from './pretty-view.ts'

/** What it is about, and all numbers at one look. */
export function reportHead(report: Report, view: PrettyView): string[] {
  const { target, today, counts, dueWithinDays } = report
  return [
    `${view.colors.bold(`Report on ${escapeControlInLine(target)}`)}, ${today}`,
    '',
    ...row('Reviews', describeReviews(counts, dueWithinDays), view),
    ...row('Links', describeLinks(counts), view),
    ...row('Articles', describeArticles(counts), view),
    ...describeAge(report).flatMap((age) => row('Age', age, view)),
  ]
}

const LABEL_COLUMNS = 12

function row(label: string, text: string, { columns }: PrettyView): string[] {
  return wrapToColumns(text, columns - LABEL_COLUMNS).map(
    (line, index) => `${(index === 0 ? `  ${label}` : '').padEnd(LABEL_COLUMNS)}${line}`,
  )
}

function describeReviews(counts: ReportCounts, dueWithinDays: number): string {
  const { overdue, due, later, never, undated } = counts
  return [
    `${formatNumber(overdue)} overdue`,
    `${formatNumber(due)} due within ${pluralize(dueWithinDays, 'day')}`,
    `${formatNumber(later)} later`,
    ...(never > 0 ? [`${formatNumber(never)} never`] : []),
    ...(undated > 0 ? [`${formatNumber(undated)} undated`] : []),
  ].join(', ')
}

function describeLinks({ broken, links, ignoredLinks, brokenHere }: ReportCounts): string {
  const ignored = ignoredLinks > 0 ? `, ${formatNumber(ignoredLinks)} more ignored` : ''
  const here = brokenHere > 0 ? ` for the target, ${formatNumber(brokenHere)} more as seen from here` : ''
  if (links > 0) return `${formatNumber(broken)} broken of ${formatNumber(links)}${here}${ignored}`
  return ignoredLinks > 0
    ? `all ${formatNumber(ignoredLinks)} on the target are ignored`
    : 'none on the target'
}

function describeArticles({ files, onTarget, unowned, isUnownedExact }: ReportCounts): string {
  const others =
    unowned === 0 ? '' : `; ${isUnownedExact ? '' : 'at least '}${formatNumber(unowned)} there in no file`
  return `${formatNumber(files)} in files, ${formatNumber(onTarget)} of them on the target${others}`
}

function describeAge({ ages }: Report): string[] {
  const { medianDays } = ages ?? {}
  if (medianDays === undefined) return []
  return medianDays === 0
    ? ['half of the files were changed today']
    : [`half of the files were not changed for ${pluralize(medianDays, 'day')}`]
}
