import { ICalCalendar, ICalEventBusyStatus, ICalEventTransparency } from 'ical-generator'
import { digestParts } from '../../core/digest.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { parseUrl } from '../../core/parse-url.ts'
import { toDayNumber } from '../../web/dashboard/summary/calendar.ts'
import type { Report } from '../../web/report/report.ts'
import { placesOrBeginning, type ReportRow, sectionOf } from '../../web/report/report-rows.ts'
import { describeNowhere, describeOwners, nameShortly } from '../../web/report/report-words.ts'
import { createRepeatCounter } from '../text/count-repeats.ts'
import { describeCut } from './report-problems.ts'

/**
 * Formats all review dates as a calendar (RFC 5545): one all-day event each, without time zone, shown as free time. An
 * article keeps its event in later reports, so that calendars move it when they read the file again.
 */
export function formatReportIcs(report: Report): string {
  const calendar = new ICalCalendar({
    prodId: { company: 'kb-sync', product: 'kb report', language: 'EN' },
    name: escapeText(`Reviews of ${report.project}`),
  })
  const idOf = createEventIds(report)
  const cuts: string[] = []
  for (const name of ['overdue', 'due', 'later'] as const) {
    const { rows, total } = sectionOf(report, name)
    if (total > rows.length) cuts.push(describeCut(name, total - rows.length))
    for (const row of rows) calendar.createEvent({ id: idOf(row), ...eventOf(row, report) })
  }
  if (cuts.length > 0) calendar.description(escapeText(cuts.join(' ')))
  return `${calendar.toString()}\r\n`
}

/** The library does not escape texts about the whole calendar. */
function escapeText(text: string): string {
  return escapeControlInLine(text).replace(/[\\;,]/g, String.raw`\$&`)
}

/** Creates ids by file, because some targets change an article's id with every edit, including its review date. */
function createEventIds({ project, target }: Report): (row: ReportRow) => string {
  const repeatOf = createRepeatCounter()
  return ({ article: { file, id = '' } }) => {
    const key = digestParts([project, target, file ?? id])
    const count = repeatOf(key)
    return `${key}${count === 1 ? '' : `-${count}`}@kb-sync`
  }
}

function eventOf(row: ReportRow, { generatedAt, today }: Report) {
  const { kind, date, article } = row
  const { url, categories = [] } = article
  const sign = kind === 'overdue' ? 'Review (overdue)' : 'Review'
  return {
    // A calendar accepts an update of an event only if this number does not decrease.
    sequence: toDayNumber(today),
    stamp: new Date(generatedAt),
    start: new Date(`${date}T00:00:00Z`),
    allDay: true,
    summary: escapeControlInLine(`${sign}: ${nameShortly(article)}`),
    description: describe(row),
    transparency: ICalEventTransparency.TRANSPARENT,
    busystatus: ICalEventBusyStatus.FREE,
    categories: categories.map((name) => ({ name: escapeControlInLine(name) })),
    ...(url !== undefined && isWebAddress(url) && { url: withoutEscapes(url) }),
  }
}

function describe(row: ReportRow): string {
  const { article, remark } = row
  const [place] = placesOrBeginning(row)
  const lines = [
    place === undefined
      ? `${describeNowhere(article)}; its id is ${article.id}`
      : `${place.file}:${place.line}`,
    article.url,
    remark,
    describeOwners(article.owners),
  ].filter((line) => line !== undefined)
  return lines.map(escapeControlInLine).join('\n')
}

/** The library also escapes these two characters in URLs. */
function withoutEscapes(url: string): string {
  return new URL(url).href.replaceAll(',', '%2C').replaceAll(';', '%3B')
}

function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url) && parseUrl(url) !== undefined
}
