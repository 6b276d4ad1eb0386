// A target whose lists are longer than memory: counts are exact to the last entry all the same, and a report needs no
// more room for a million entries than for some ten thousand.
import { expect, test } from 'vitest'
import { startLongLists } from '../support/long-lists.ts'
import { article, configFile, createProject } from '../support/project.ts'
import { readReportEntries } from '../support/runs.ts'

const ENTRIES = readReportEntries()

/** Half of it is what the lists of a report may hold at most; a million entries would need more than 1 GB. */
const HEAP_MEGABYTES = 384

/** What one list of a report may hold. */
const LISTED = 50_000

const DAY_MS = 86_400_000
const EPOCH_MS = Date.parse('2026-06-30T12:00:00Z')
const PERSON = { username: 'ann', first_name: 'Ann', last_name: 'Other', email_address: 'ann@example.com' }

const idOf = (index: number): string => `article-${index}`
const titleOf = (index: number): string => (index === 20 ? 'A file of ours' : `Somebody's article ${index}`)

/** Every thirteenth has no date, every seventeenth is never reviewed, and the rest are spread over three years. */
function dateOf(index: number): string | null {
  if (index % 13 === 1) return null
  if (index % 17 === 1) return '9999-12-31T00:00:00.000Z'
  return new Date(EPOCH_MS + ((index % 1097) - 548) * DAY_MS).toISOString()
}

const isWorking = (index: number): boolean | undefined => (index % 11 === 1 ? undefined : index % 10 !== 0)
const isUsable = (index: number): boolean => index % 1000 !== 999

const reviewDate = (index: number): unknown =>
  isUsable(index)
    ? {
        id: idOf(index),
        name: titleOf(index),
        status: index % 2 === 0 ? 'published' : 'draft',
        article_review_date: dateOf(index),
        language: null,
        users_articles_created_byTousers: PERSON,
      }
    : { name: 'An entry without an id' }

// Two links for each article.
const link = (index: number): unknown =>
  isUsable(index)
    ? {
        id: index,
        site_id: 's',
        article_id: idOf(index >> 1),
        url: `https://host-${index % 97}.example.com/page?a=${index}&amp;b=1`,
        working: isWorking(index),
        articles: { id: idOf(index >> 1), name: titleOf(index >> 1) },
      }
    : null

function expectedCounts(today: string, dueWithinDays: number) {
  const lastDue = new Date(Date.parse(today) + dueWithinDays * DAY_MS).toISOString().slice(0, 10)
  const counts = { overdue: 0, due: 0, later: 0, never: 0, undated: 0, links: 0, broken: 0 }
  for (let index = 0; index < ENTRIES; index++) {
    if (!isUsable(index)) continue
    const date = dateOf(index)?.slice(0, 10)
    counts.links++
    if (isWorking(index) === false) counts.broken++
    if (date === undefined) counts.undated++
    else if (date === '9999-12-31') counts.never++
    else if (date < today) counts.overdue++
    else if (date <= lastDue) counts.due++
    else counts.later++
  }
  return counts
}

interface Document {
  readonly today: string
  readonly dueWithinDays: number
  readonly counts: Readonly<Record<string, unknown>>
  readonly reviews: Readonly<Record<string, { readonly total: number; readonly entries: readonly unknown[] }>>
  readonly links: {
    readonly broken: { readonly total: number; readonly entries: readonly { readonly url: string }[] }
  }
}

test('lists longer than memory', { timeout: 120_000 + ENTRIES * 0.6 }, async () => {
  const service = await startLongLists({
    entries: ENTRIES,
    reviewDate,
    link,
    article: (id) => {
      const index = Number(/^article-(\d+)$/.exec(id)?.[1] ?? Number.NaN)
      const slug = index === 20 ? 'ours' : id
      return index < ENTRIES ? { id, name: titleOf(index), slug, content: '<p>Text</p>' } : undefined
    },
  })
  const project = createProject({
    // The time for a whole answer, of which a million entries may take more than usual.
    'kb.config.ts': configFile({ project: 'demo', sync: { timeout: '10m' } }),
    'content/_categories.yml': '- name: Guides\n',
    'content/ours.md': article('A file of ours', {
      body: '[Here](https://host-40.example.com/page?a=40&b=1)',
    }),
  })
  const { code, stderr } = await project.start(['report', '--json', '--out', 'report.json', '--no-history'], {
    env: { KB_URL: service.url, KB_API_KEY: 'key', NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` },
  }).ended
  expect([code, stderr]).toEqual([0, ''])

  const text = project.read('report.json')
  expect(text).not.toContain('ann@example.com')
  const { today, dueWithinDays, counts, reviews, links } = JSON.parse(text) as Document
  const expected = expectedCounts(today, dueWithinDays)
  expect(counts).toMatchObject({ files: 1, onTarget: 1, ...expected })
  const { overdue, due, later, never, undated } = expected
  for (const [name, total] of Object.entries({ overdue, due, later, never, undated })) {
    expect(reviews[name]).toMatchObject({ total })
    expect(reviews[name]?.entries).toHaveLength(Math.min(total, LISTED))
  }
  expect(links.broken.total).toBe(expected.broken)
  expect(links.broken.entries).toHaveLength(Math.min(expected.broken, LISTED))
  expect(links.broken.entries.find(({ url }) => url.includes('?a=40&'))).toMatchObject({
    article: { file: 'content/ours.md' },
    places: [{ file: 'content/ours.md', line: 6 }],
  })
  // However long the lists are, each is asked for a few times, and some hundred articles at most are read one by one.
  expect(service.requests.filter((request) => request.includes('/tools/')).length).toBeLessThanOrEqual(4)
  expect(service.requests.length).toBeLessThan(120)
})
