import type { Report } from '../../../src/web/report/report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'

/** A report without any data: no article, no link, no date. */
export async function emptyReport(): Promise<Report> {
  const report = await tidyReport()
  const none = { total: 0, entries: [] }
  return {
    ...report,
    counts: { ...report.counts, files: 0, onTarget: 0, later: 0, links: 0 },
    reviews: {
      ...report.reviews,
      later: none,
      summary: {
        ...report.reviews.summary,
        total: 0,
        later: 0,
        after: 0,
        days: new Map(),
        months: report.reviews.summary.months.map(({ month }) => ({ month, overdue: 0, upcoming: 0 })),
        dueNext: [],
        laterNext: [],
      },
    },
  }
}

const ENDLESS = `https://example.com/${'𝒳'.repeat(300_000)}`

/** Titles, URLs, files and people of 600,000 characters, with an incomplete surrogate pair where they are cut. */
export async function hugeTexts(): Promise<Report> {
  const report = await sampleReport({ owners: 'email', overdue: 4, broken: 4, later: 4 })
  const owners = [{ name: ENDLESS, email: `${ENDLESS}@example.org` }]
  const endless = <T extends object>(entry: T) => ({
    ...entry,
    title: ENDLESS,
    file: ENDLESS,
    url: ENDLESS,
    language: ENDLESS,
    categories: [ENDLESS],
    owners,
  })
  const { overdue, due, later, never, undated } = report.reviews
  const listing = <T extends object>(list: { readonly total: number; readonly entries: readonly T[] }) => ({
    ...list,
    entries: list.entries.map(endless),
  })
  const broken = report.links.broken.entries.map((link) => ({
    ...link,
    url: ENDLESS,
    host: ENDLESS,
    article: endless(link.article),
    places: Array.from({ length: 1000 }, (_, index) => ({ file: ENDLESS, line: index + 1, column: 1 })),
  }))
  return {
    ...report,
    project: ENDLESS,
    target: ENDLESS,
    reviews: {
      ...report.reviews,
      overdue: listing(overdue),
      due: listing(due),
      later: listing(later),
      never: listing(never),
      undated: listing(undated),
    },
    links: {
      ...report.links,
      broken: { total: broken.length, entries: broken },
      summary: {
        ...report.links.summary,
        hosts: report.links.summary.hosts.map((group) => ({ ...group, key: ENDLESS })),
      },
    },
    notes: [ENDLESS],
  }
}
