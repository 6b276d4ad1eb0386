import { toDate, toDayNumber } from '../../../src/health/summary/calendar.ts'
import type { BrokenLinkEntry, ReviewEntry } from '../../../src/health/status-source.ts'
import { brokenLink, review, type Sample, syncStatus, unsent } from './status-samples.ts'

export const TODAY = '2026-11-21'

/** A knowledge base in which something of everything is the matter; the same each time. */
export function busyStatus(articles: number, links: number): Sample {
  return {
    sync: syncStatus({
      failures: [
        { ...unsent('content/guides/import.md', 'Its slug is taken by another article.'), title: 'Import' },
      ],
      heldBack: [unsent('content/guides/half-written.md')],
      orphans: 3,
      pending: 2,
    }),
    articles: { published: articles, drafts: 12 },
    lastChange: '2026-11-21T20:04:00Z',
    reviews: reviews(articles),
    brokenLinks: brokenLinks(links),
    linkChecks: { kind: 'on', links: links * 20, unchecked: 17 },
  }
}

function* reviews(count: number): Iterable<ReviewEntry> {
  const today = toDayNumber(TODAY)
  for (let index = 0; index < count; index++) {
    const spread = (index * 7919) % 400
    const isLumped = index % 5 === 0
    const day = isLumped ? today + 117 : today - 90 + ((spread * spread) % 397)
    yield review(
      index % 50 === 0 ? '9999-12-31' : toDate(day),
      `Article number ${index} on a topic that matters`,
    )
  }
}

const HOSTS = [
  'docs.example.com',
  'old.example.org',
  'status.example.net',
  'a-very-long-name-of-a-host.of-some-department.example.co.uk',
]

function* brokenLinks(count: number): Iterable<BrokenLinkEntry> {
  for (let index = 0; index < count; index++) {
    const host = HOSTS[Math.floor(Math.sqrt(index)) % HOSTS.length]
    const url =
      index % 9 === 0
        ? `/articles/gone-${index}`
        : `https://${host}/page/${index}/${'deep/'.repeat(index % 30)}`
    yield brokenLink(
      url,
      `Article number ${index % 37}`,
      index % 3 === 0 ? '404 Not Found' : 'The host does not exist.',
    )
  }
}
