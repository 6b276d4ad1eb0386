import { toDate, toDayNumber } from '../../../../src/web/dashboard/summary/calendar.ts'
import type { ArticleEntry, BrokenLinkEntry } from '../../../../src/web/dashboard/status-source.ts'
import { articleEntry, brokenLink, type Sample, syncStatus, unsent } from './status-samples.ts'

export const TODAY = '2026-11-21'

/** A knowledge base with every kind of problem, the same each time. */
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
    others: [...articlesOf(articles)],
    brokenLinks: [...brokenLinks(links)],
    linkChecks: { kind: 'on', links: links * 20, unchecked: 17 },
  }
}

const CATEGORIES = [
  'Guides',
  'Guides/Accounts',
  'Guides/Accounts/Signing in with a password, a key or a friend',
  'Reference/Interface',
  'Troubleshooting',
]

function* articlesOf(count: number): Iterable<ArticleEntry> {
  const today = toDayNumber(TODAY)
  for (let index = 0; index < count; index++) {
    const spread = (index * 7919) % 400
    const isLumped = index % 5 === 0
    const day = isLumped ? today + 117 : today - 90 + ((spread * spread) % 397)
    const title = `Article number ${index} on a topic that matters`
    yield articleEntry({
      title,
      url: `/articles/${index}`,
      file: `content/guides/article-${index}.md`,
      date: index % 50 === 0 ? '9999-12-31' : index % 50 === 1 ? '' : toDate(day),
      lastChange: index % 40 === 0 ? undefined : toDate(today - ((spread * spread) % 1500)),
      categories: [CATEGORIES[index % CATEGORIES.length] ?? '', ...(index % 3 === 0 ? ['Guides'] : [])],
    })
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
    const reason = index % 3 === 0 ? '404 Not Found' : 'The host does not exist.'
    const categories = [CATEGORIES[index % CATEGORIES.length] ?? '']
    yield { ...brokenLink(url, `Article number ${index % 37}`, reason), categories }
  }
}
