// A separate process with little memory: creates and summarises many entries of each list.
import { summarizeStatus } from '../../../../src/web/dashboard/summary/summarize-status.ts'
import { brokenLink, review, statusOf } from '../../pages/status/status-samples.ts'

const MANY = Number(process.argv[2])

function* reviews() {
  for (let index = 0; index < MANY; index++) {
    const day = new Date(Date.UTC(2026, 10, 10) + (index % 7000) * 86_400_000).toISOString().slice(0, 10)
    yield review(day, `Article ${index} with a title that takes some room in memory`)
  }
}

// Every link leads to a different host.
function* brokenLinks() {
  for (let index = 0; index < MANY; index++)
    yield brokenLink(`https://host-${index}.example/page`, `Article ${index} with a title`)
}

const summary = await summarizeStatus(
  statusOf({ reviews: reviews(), brokenLinks: brokenLinks(), articles: { published: MANY, drafts: 0 } }),
  {
    monthsBefore: 2,
    monthsAfter: 10,
    listed: 10,
    links: { order: 'address', listed: 100, groups: 8, perGroup: 1 },
  },
)
const { overdue } = summary.reviews
const { total, hosts, hostCount } = summary.brokenLinks
process.stdout.write(JSON.stringify({ overdue, total, hosts: hosts.length, hostCount }))
