import type { Report } from '../../../src/web/report/report.ts'
import { sampleReport } from '../../inspect/report/sample-report.ts'

/** A target may list titles and addresses of any length. */
export async function longReport(): Promise<Report> {
  const { reviews, links, ...report } = await sampleReport({ overdue: 2, broken: 2 })
  const title = 'Any title '.repeat(20_000)
  const overdue = reviews.overdue.entries.map((finding) => ({ ...finding, title }))
  const broken = links.broken.entries.map((finding) => ({
    ...finding,
    url: `https://long.example/${'x'.repeat(200_000)}`,
    article: { ...finding.article, title },
  }))
  return {
    ...report,
    reviews: { ...reviews, overdue: { total: 2, entries: overdue } },
    links: { ...links, broken: { total: 2, entries: broken } },
  }
}
