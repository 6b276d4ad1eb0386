// A report uses the calendar date in UTC, in any time zone and at any hour.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { article } from '../../support/project.ts'
import { type ListingService, startListingService } from './listing-service.ts'
import { createReportProject } from './report-project.ts'

let service: ListingService
const zone = process.env['TZ']

beforeAll(async () => {
  service = await startListingService()
})
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})
afterAll(() => service.close())

const DATES = {
  yesterday: '2027-03-14T23:59:59Z',
  today: '2027-03-15T00:00:00Z',
  'today without zone': '2027-03-15T00:30:00',
  'today with a space': '2027-03-15 23:30:00',
  'yesterday in the east': '2027-03-15T12:30:00+13:00',
  'today in the west': '2027-03-14T18:00:00-08:00',
  'last due': '2027-04-14T23:59:59Z',
  'first later': '2027-04-15T00:00:00Z',
}

const CASES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati'].flatMap((each) =>
  ['00:00:00.000', '12:00:00.000', '23:59:59.999'].map((time) => [each, time] as const),
)

test('the same articles are due in every time zone, at every hour of the day', async () => {
  const reviewDates = Object.entries(DATES).map(([name, date]) => ({
    id: name,
    name,
    article_review_date: date,
  }))
  Object.assign(service.listed, { reviewDates })
  const project = createReportProject(service.url, {
    'content/alpha.md': article('Alpha', { reviewDate: '2027-03-15' }),
  })
  await project.know({ 'alpha.md': 'today' })
  for (const [each, time] of CASES) {
    process.env['TZ'] = each
    const { reviews, today } = await project.report({ now: () => new Date(`2027-03-15T${time}Z`) })
    const names = ({ entries }: typeof reviews.due) => entries.map(({ title, days }) => [title, days])
    expect({ each, time, today, overdue: names(reviews.overdue), later: names(reviews.later) }).toEqual({
      each,
      time,
      today: '2027-03-15',
      overdue: [
        ['yesterday', -1],
        ['yesterday in the east', -1],
      ],
      later: [['first later', 31]],
    })
    expect(names(reviews.due)).toEqual([
      ['today', 0],
      ['today in the west', 0],
      ['today with a space', 0],
      ['today without zone', 0],
      ['last due', 30],
    ])
    expect(reviews.due.entries[0]).toMatchObject({ file: 'content/alpha.md', fileDate: undefined })
  }
})
