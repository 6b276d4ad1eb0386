import type { LinkFinding, Report } from '../../../src/web/report/report.ts'
import { sampleArticle } from '../../inspect/report/sample-articles.ts'
import { tidyReport } from '../../inspect/report/sample-report.ts'

/** Eight articles include a file with a broken link, and another article has its own. */
export async function includedReport(): Promise<Report> {
  const { counts, links, ...report } = await tidyReport()
  const own = finding(40, 'https://gone.test/own', { file: 'content/own.md', line: 7, column: 1 })
  const shared = Array.from({ length: 8 }, (_, nth) =>
    finding(20 + nth * 2, 'https://gone.test/manual.pdf', {
      file: 'content/_manuals.md',
      line: 1,
      column: 23,
    }),
  )
  const entries = [own, ...shared]
  const hosts = [
    { key: '', count: 5, isExact: true, first: [] },
    { key: 'gone.test', count: 4, isExact: false, first: [] },
  ]
  return {
    ...report,
    counts: { ...counts, broken: entries.length },
    links: {
      ...links,
      broken: { total: entries.length, entries },
      summary: { ...links.summary, total: entries.length, hosts, hostCount: 2, articleCount: 9 },
    },
  }
}

function finding(index: number, url: string, place: LinkFinding['places'][number]): LinkFinding {
  const article = sampleArticle(index, { file: `content/${index}.md`, isDraft: false })
  return { article, url, host: 'gone.test', places: [place], isAccepted: false }
}
