import { ICalCalendar, ICalEventBusyStatus, ICalEventTransparency } from 'ical-generator'
import { toDayNumber } from '../../web/dashboard/summary/calendar.ts'
import type { Report, ReviewFinding } from '../../inspect/report/report.ts'
import { digestParts } from '../../core/digest.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { createRepeatCounter } from '../text/count-repeats.ts'
import { reviewPlace } from './article-places.ts'
import { describeFileDate, describeNowhere, describeOwners, nameShortly } from './article-words.ts'
import { listCuts } from './list-cuts.ts'
import { parseUrl } from '../../core/parse-url.ts'

/**
 * All review dates as a calendar (RFC 5545): an event of a whole day for each, in no time zone, that makes nobody busy. An
 * article keeps its event from report to report, so that a calendar which reads the file again moves it.
 */
export function formatReportIcs(report: Report): string {
  const { overdue, due, later } = report.reviews
  const calendar = new ICalCalendar({
    prodId: { company: 'kb-sync', product: 'kb report', language: 'EN' },
    name: escapeText(`Reviews of ${report.project}`),
  })
  const cuts = listCuts({ overdue, due, later })
  if (cuts.length > 0) calendar.description(escapeText(cuts.join(' ')))
  const idOf = createEventIds(report)
  for (const { entries } of [overdue, due, later])
    for (const finding of entries) calendar.createEvent({ id: idOf(finding), ...eventOf(finding, report) })
  return `${calendar.toString()}\r\n`
}

/** The library takes texts about the whole calendar as they are. */
function escapeText(text: string): string {
  return escapeControlInLine(text).replace(/[\\;,]/g, String.raw`\$&`)
}

/** By the file: some targets give an article a new id with every change, its review date included. */
function createEventIds({ project, target }: Report): (finding: ReviewFinding) => string {
  const repeatOf = createRepeatCounter()
  return ({ file, id }) => {
    const key = digestParts([project, target, file ?? id])
    const count = repeatOf(key)
    return `${key}${count === 1 ? '' : `-${count}`}@kb-sync`
  }
}

function eventOf(finding: ReviewFinding, { generatedAt, today }: Report) {
  const { date, standing, url, categories } = finding
  const sign = standing === 'overdue' ? 'Review (overdue)' : 'Review'
  return {
    // A calendar that is given an event again takes it only where this number is not smaller.
    sequence: toDayNumber(today),
    stamp: new Date(generatedAt),
    start: new Date(`${date}T00:00:00Z`),
    allDay: true,
    summary: escapeControlInLine(`${sign}: ${nameShortly(finding)}`),
    description: describe(finding),
    transparency: ICalEventTransparency.TRANSPARENT,
    busystatus: ICalEventBusyStatus.FREE,
    categories: categories.map((name) => ({ name: escapeControlInLine(name) })),
    ...(url !== undefined && isWebAddress(url) && { url: withoutEscapes(url) }),
  }
}

function describe(finding: ReviewFinding): string {
  const { url, id, owners } = finding
  const place = reviewPlace(finding)
  const lines = [
    place === undefined ? `${describeNowhere(finding)}; its id is ${id}` : `${place.file}:${place.line}`,
    url,
    describeFileDate(finding),
    describeOwners(owners),
  ].filter((line) => line !== undefined)
  return lines.map(escapeControlInLine).join('\n')
}

/** The library escapes these two as if an address were a text. */
function withoutEscapes(url: string): string {
  return new URL(url).href.replaceAll(',', '%2C').replaceAll(';', '%3B')
}

function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url) && parseUrl(url) !== undefined
}
