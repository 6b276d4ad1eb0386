// The calendar, read by a third-party parser.
import ICAL from 'ical.js'
import { afterEach, describe, expect, test } from 'vitest'
import { formatReportIcs } from '../../../src/cli/report/format-report-ics.ts'
import type { Report } from '../../../src/web/report/report.ts'
import { longReport } from './long-report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'

function read(ics: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(ics) as unknown[])
}

function eventsOf(ics: string): ICAL.Event[] {
  return read(ics)
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))
}

const dated = ({ reviews: { overdue, due, later } }: Report) => [
  ...overdue.entries,
  ...due.entries,
  ...later.entries,
]

test('has an all-day event for every review date, and nothing else', async () => {
  const report = await sampleReport()
  const ics = formatReportIcs(report)
  const events = eventsOf(ics)
  expect(events.map(({ startDate, duration }) => [startDate.toString(), duration.toString()])).toEqual(
    dated(report).map(({ date }) => [date, 'P1D']),
  )
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length)
  const calendar = read(ics)
  expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(events.map(() => 'vevent'))
  expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Reviews of docs & <more>')
  expect(events.every(({ component }) => component.getFirstPropertyValue('transp') === 'TRANSPARENT')).toBe(
    true,
  )
})

test('follows RFC 5545 in lines, line endings, line lengths and required properties', async () => {
  const ics = formatReportIcs(await sampleReport({ owners: 'email' }))
  expect(ics.endsWith('\r\nEND:VCALENDAR\r\n')).toBe(true)
  const lines = ics.split('\r\n')
  expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([])
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
  const needed = ['UID', 'DTSTAMP', 'DTSTART;VALUE=DATE', 'SUMMARY']
  for (const event of ics.split('\r\nBEGIN:VEVENT').slice(1))
    expect(needed.filter((name) => !event.includes(`\r\n${name}:`))).toEqual([])
})

test('hostile titles stay titles', async () => {
  const report = await sampleReport({ owners: 'email', overdue: 40 })
  const summaries = eventsOf(formatReportIcs(report)).map(({ summary }) => summary)
  expect(summaries).toContain('Review (overdue): END:VEVENT BEGIN:VEVENT SUMMARY:another')
  expect(summaries).toContain('Review (overdue): @SUM(1)*2, with; everything: in\\it "quoted"')
  expect(summaries).toContain('Review (overdue): 👨‍👩‍👧‍👦 é (combining) ﬁ ligature')
  expect(summaries).toContain('Review (overdue): (no title)')
  expect(summaries.join('')).not.toMatch(/\p{Cc}|\u202e/u)
})

test('contains the location of an article, and owners, only on request', async () => {
  const report = await sampleReport({ owners: 'names' })
  const [first] = dated(report)
  const owned = dated(report).findIndex(({ file }) => file !== undefined)
  const { file, place, url } = dated(report)[owned] ?? {}
  const descriptions = eventsOf(formatReportIcs(report)).map(({ description }) => description)
  expect(descriptions[owned]?.split('\n').slice(0, 2)).toEqual([`${file}:${place?.line}`, url])
  expect(first).toBeDefined()
  expect(descriptions.some((text) => text.includes('\nask Ada Lovelace'))).toBe(true)
  expect(descriptions.some((text) => text.includes('ada@example.org'))).toBe(false)
  expect(formatReportIcs(await sampleReport())).not.toMatch(/[\\]nask /)
  // Without attendees: a calendar would send mails to them.
  const ics = formatReportIcs(await sampleReport({ owners: 'email' }))
  expect(ics).not.toMatch(/^(ATTENDEE|ORGANIZER|METHOD)/m)
})

test('contains the URL of an article if it has one', async () => {
  const report = await tidyReport()
  const addresses = ['https://help.example.com/a b?x=1;y,z', 'javascript:alert(1)', '/articles/x']
  const entries = report.reviews.later.entries.map((finding, index) => ({
    ...finding,
    url: addresses[index],
  }))
  const changed = { ...report, reviews: { ...report.reviews, later: { total: 3, entries } } }
  const urls = eventsOf(formatReportIcs(changed)).map(({ component }) =>
    component.getFirstPropertyValue('url'),
  )
  expect(urls).toEqual(['https://help.example.com/a%20b?x=1%3By%2Cz', null, null])
})

test('an article keeps its event from report to report, and the newer one wins', async () => {
  const report = await tidyReport()
  const entries = report.reviews.later.entries.map((finding) => {
    const { file, id } = finding
    return { ...finding, date: '2028-02-29', id: file === undefined ? id : `new-${id}` }
  })
  const later = {
    ...report,
    today: '2027-03-16',
    generatedAt: '2027-03-16T06:00:00.000Z',
    reviews: { ...report.reviews, later: { total: 3, entries } },
  }
  const before = eventsOf(formatReportIcs(report))
  const after = eventsOf(formatReportIcs(later))
  expect(after.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid))
  expect(after.map(({ startDate }) => startDate.toString())).toEqual([
    '2028-02-29',
    '2028-02-29',
    '2028-02-29',
  ])
  expect((after[0]?.sequence ?? 0) - (before[0]?.sequence ?? 0)).toBe(1)
  const elsewhere = eventsOf(formatReportIcs({ ...report, target: 'staging' })).map(({ uid }) => uid)
  expect(elsewhere.filter((uid) => before.some((event) => event.uid === uid))).toEqual([])
})

test('a project can have any name', async () => {
  const project = 'a, b; c\\d\r\nBEGIN:VEVENT'
  const calendar = read(formatReportIcs({ ...(await tidyReport()), project }))
  expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe(
    // The parser does not unescape unknown properties.
    String.raw`Reviews of a\, b\; c\\d BEGIN:VEVENT`,
  )
  expect(calendar.getAllSubcomponents()).toHaveLength(3)
})

describe('in every time zone', () => {
  const before = process.env['TZ']
  afterEach(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  test('the same bytes', async () => {
    const report = await sampleReport()
    const texts = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kathmandu', 'Etc/GMT+12'].map(
      (zone) => {
        process.env['TZ'] = zone
        return formatReportIcs(report)
      },
    )
    expect(new Set(texts).size).toBe(1)
  })
})

test('a list that was cut is mentioned in the calendar', async () => {
  const ofCalendar = async (report: Report) =>
    read(formatReportIcs(report)).getFirstPropertyValue('x-wr-caldesc')
  expect(await ofCalendar(await sampleReport())).toBe(
    String.raw`later: 1\,160 more are counted but not listed.`,
  )
  expect(await ofCalendar(await tidyReport())).toBeNull()
})

test('a file that needs no more reviews is marked as such', async () => {
  const report = await tidyReport()
  const [first] = report.reviews.later.entries
  if (first === undefined) throw new Error('the sample has none')
  const entries = [{ ...first, fileDate: '9999-12-31' }]
  const ics = formatReportIcs({ ...report, reviews: { ...report.reviews, later: { total: 1, entries } } })
  expect(eventsOf(ics)[0]?.description.split('\n').at(-1)).toBe('its file has never; kb sync sends that')
})

test('a title or URL of any length is shortened', async () => {
  const texts = eventsOf(formatReportIcs(await longReport())).map(({ summary }) => summary)
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(1_200)
})
