// Compares the report on thousands of real files, synced to the real server, with figures that are counted differently.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FIELDS_HASH_LENGTH } from '../../../src/core/model/article-fields.ts'
import { documentKey } from '../../../src/core/model/document.ts'
import { appendMarker } from '../../../src/core/model/marker.ts'
import type { Report, ReviewFinding } from '../../../src/web/report/report.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'
import type { Store } from '../../../src/server/store/open-store.ts'
import type { Files } from '../../support/project.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { API_KEY } from '../../support/server.ts'
import { createReportProject, TODAY } from './report-project.ts'

/** Enough that every list has several pages. */
const FEWEST = 600

const { numRuns, seed } = readRuns('REPORT_ARTICLES', 700)
const RUNS = { numRuns: Math.max(FEWEST, numRuns), seed }

const LINKS_EACH = 10
const ADDRESSES = 3000
const FOREIGN = 40
const DAY_MS = 86_400_000

function dayFromToday(days: number): string {
  return new Date(Date.parse(TODAY) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the days until the review of an article; undefined for never. */
function daysOf(index: number): number | undefined {
  const days = [-1 - (index % 400), index % 31, 31 + (index % 500), undefined, -700]
  return days[index % days.length]
}

const addressOf = (index: number, link: number) => (index * 7 + link * 11) % ADDRESSES

function urlOf(address: number): string {
  return `https://h${address % 150}.example.org/p/${address}?a=1&b=${address % 7}`
}

const isBroken = (address: number) => address % 9 === 0

const CATEGORIES = [['Guides'], ['Guides/Accounts'], ['Guides', 'Guides/Accounts'], ['Notes']]
const categoriesOf = (index: number) => CATEGORIES[index % CATEGORIES.length] ?? []

const sourceOf = (index: number) => `part-${index % 20}/page-${index}.md`
const fileOf = (index: number) => `content/${sourceOf(index)}`

/** Returns the line of a link in its file. */
const lineOf = (link: number) => 8 + 2 * link

function textOf(index: number): string {
  const days = daysOf(index)
  const links = Array.from({ length: LINKS_EACH }, (_, link) => `[${link}](${urlOf(addressOf(index, link))})`)
  return [
    '---',
    `title: Page ${index}`,
    `categories: ${JSON.stringify(categoriesOf(index))}`,
    `reviewDate: ${days === undefined ? 'never' : dayFromToday(days)}`,
    'status: published',
    '---',
    '',
    links.join('\n\n'),
    '',
  ].join('\n')
}

const TAXONOMY =
  '- name: Guides\n  slug: guides\n- name: Accounts\n  slug: accounts\n  parent: guides\n- name: Notes\n  slug: notes\n'

function files(articles: number): Files {
  const pages = Array.from({ length: articles }, (_, index) => [fileOf(index), textOf(index)] as const)
  return { 'content/_categories.yml': TAXONOMY, ...Object.fromEntries(pages) }
}

interface Service {
  readonly url: string
  readonly store: Store
  readonly list: (path: string) => Promise<readonly unknown[]>
}

/** The built-in server, filled with the articles of the files like in a sync, and with some foreign ones. */
async function startService(articles: number): Promise<Service> {
  const categories = ['Guides', 'Accounts', 'Notes'].map((name) => ({ name, slug: name.toLowerCase() }))
  const knowledgeBase = await openKnowledgeBase({
    db: join(temporaryFolder(), 'kb.db'),
    apiKey: API_KEY,
    seed: { categories, tags: [] },
  })
  const server = await listen(knowledgeBase, { host: '127.0.0.1', port: 0, graceMs: 0 })
  onTestFinished(() => server.close())
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
  const create = async (body: object) => {
    const request = { method: 'PUT', headers, body: JSON.stringify({ ...rest, ...body }) }
    const answer = await knowledgeBase.app.request('/api/v2/articles', request)
    expect(answer.status).toBe(200)
  }
  const rest = {
    excerpt: 'x',
    ordering: 0,
    status: 'published',
    categories: [{ value: knowledgeBase.seeded.categories['guides'] }],
  }
  for (let at = 0; at < articles; at += 250) {
    const some = Array.from({ length: Math.min(250, articles - at) }, (_, index) => at + index)
    await Promise.all(some.map((index) => create(sentArticle(index))))
  }
  const link = `<p><a href="${htmlUrl(urlOf(0))}">x</a></p>`
  for (let index = 0; index < FOREIGN; index++) {
    const slug = `foreign-${index}`
    await create({ title: slug, slug, content: link, articleReviewDate: dayFromToday(-10) })
  }
  const list = async (path: string) => {
    const answer = await fetch(`${server.url}/api/v2/tools/${path}`, { headers })
    return ((await answer.json()) as { readonly data: readonly unknown[] }).data
  }
  return { url: server.url, store: knowledgeBase.store, list }
}

const htmlUrl = (url: string) => url.replaceAll('&', '&amp;')

function sentArticle(index: number): object {
  const links = Array.from({ length: LINKS_EACH }, (_, link) => {
    return `<p><a href="${htmlUrl(urlOf(addressOf(index, link)))}">${link}</a></p>`
  })
  const hash = '0'.repeat(32)
  const content = appendMarker(links.join('\n'), {
    project: 'demo',
    documentKey: documentKey(sourceOf(index), null),
    fingerprint: hash,
    sourceHash: hash,
    projectionHash: hash,
    fieldsHash: '0'.repeat(FIELDS_HASH_LENGTH),
  })
  const days = daysOf(index)
  const articleReviewDate = days === undefined ? '9999-12-31' : dayFromToday(days)
  return { title: `Page ${index}`, slug: `page-${index}`, content, articleReviewDate }
}

/** Stores the results of the server's link checker. */
async function breakLinks(store: Store): Promise<void> {
  const now = new Date()
  const [at, until] = [now.toISOString(), new Date(now.getTime() + 3_600_000).toISOString()]
  while (await store.scheduleTargets(at, 5000)) continue
  const targets = Array.from({ length: ADDRESSES }, (_, address) => urlOf(address))
  await store.claimLinks(store.defaultSiteId, targets, at, until)
  await store.recordLinkChecks(
    store.defaultSiteId,
    targets.map((target, address) => ({
      target,
      claimedUntil: until,
      working: !isBroken(address),
      failures: isBroken(address) ? 2 : 0,
      status: isBroken(address) ? 404 : 200,
      reason: '',
      checkedDate: at,
      nextCheckDate: until,
    })),
  )
}

interface Entry {
  readonly id: string
  readonly name: string
  readonly article_review_date: string
}

interface Link {
  readonly url: string
  readonly working: boolean
  readonly articles: { readonly name: string }
}

const numberOf = (name: string) => Number(/^Page (\d+)$/.exec(name)?.[1] ?? Number.NaN)
const fileByName = (name: string) => (name.startsWith('Page ') ? fileOf(numberOf(name)) : undefined)

function sorted<T>(rows: readonly T[]): readonly T[] {
  const keys = new Map(rows.map((row) => [row, JSON.stringify(row)]))
  return rows.toSorted((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1))
}

/** Counts everything in the responses themselves and from the data written into the files. */
function countOtherwise(articles: number, dates: readonly Entry[], links: readonly Link[]) {
  const rows = (from: string, to: string) =>
    dates
      .map(({ name, article_review_date: date }) => [date.slice(0, 10), name, fileByName(name)])
      .filter(([date = '']) => date >= from && date <= to)
  const broken = links
    .filter(({ working }) => !working)
    .map(({ url, articles: { name } }) => {
      const index = numberOf(name)
      const places = Array.from({ length: LINKS_EACH }, (_, link) => link)
        .filter((link) => !Number.isNaN(index) && urlOf(addressOf(index, link)) === url)
        .map((link) => `${fileOf(index)}:${lineOf(link)}`)
      return [name, url, ...places]
    })
  return {
    overdue: sorted(rows('0000-01-01', dayFromToday(-1))),
    due: sorted(rows(TODAY, dayFromToday(30))),
    later: sorted(rows(dayFromToday(31), '9999-12-30')),
    never: sorted(rows('9999-12-31', '9999-12-31')),
    broken: sorted(broken),
    links: links.length,
    hosts: sorted([...countBy(broken, ([, url = '']) => new URL(url).host)]),
    perArticle: sorted([...countBy(broken, ([name = '']) => name)]),
    unowned: sorted(dates.filter(({ name }) => fileByName(name) === undefined).map(({ name }) => name)),
    categories: countCategories(articles),
  }
}

function countBy<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return counts
}

function countCategories(articles: number) {
  const all = Array.from({ length: articles }, (_, index) => index)
  return ['Guides', 'Guides/Accounts', 'Notes'].map((category) => {
    const within = all.filter((index) => categoriesOf(index).includes(category))
    const days = within.map((index) => daysOf(index) ?? Number.POSITIVE_INFINITY)
    const broken = within.map((index) => {
      const addresses = Array.from({ length: LINKS_EACH }, (_, link) => addressOf(index, link))
      return addresses.filter(isBroken).length
    })
    return {
      category,
      articles: within.length,
      overdue: days.filter((each) => each < 0).length,
      due: days.filter((each) => each >= 0 && each <= 30).length,
      broken: broken.reduce((sum, each) => sum + each, 0),
    }
  })
}

/** Returns the same figures from a report. */
function figuresOf({ reviews, links, unowned, counts, categories }: Report) {
  const rows = (entries: readonly ReviewFinding[]) =>
    entries.map(({ date, title, file }) => [date, title, file])
  const places = links.broken.entries.map(({ article: { title }, url, places: found }) => [
    title,
    url,
    ...found.map(({ file, line }) => `${file}:${line}`),
  ])
  return {
    overdue: sorted(rows(reviews.overdue.entries)),
    due: sorted(rows(reviews.due.entries)),
    later: sorted(rows(reviews.later.entries)),
    never: sorted(rows(reviews.never.entries)),
    broken: sorted(places),
    links: counts.links,
    hosts: sorted(links.summary.hosts.map(({ key, count }) => [key, count] as const)),
    perArticle: sorted(
      links.summary.articles.map(({ count, first }) => [first[0]?.article.title ?? '', count] as const),
    ),
    unowned: sorted(unowned.entries.map(({ title }) => title)),
    categories,
  }
}

test.each([
  { articles: RUNS.numRuns, known: 'by what a sync remembers' },
  { articles: 300, known: 'by their markers alone' },
])(
  'every entry of a report on $articles articles and their links is correct, known $known',
  timeoutOf(RUNS, 25),
  async ({ articles, known }) => {
    const service = await startService(articles)
    await breakLinks(service.store)
    const dates = (await service.list('review_dates')) as readonly Entry[]
    const links = (await service.list('link_manager')) as readonly Link[]
    const expected = countOtherwise(articles, dates, links)
    expect([dates.length, links.length]).toEqual([articles + FOREIGN, articles * LINKS_EACH + FOREIGN])
    expect(expected.broken.length).toBeGreaterThan(articles)

    const project = createReportProject(service.url, files(articles))
    if (known.includes('remembers'))
      await project.know(Object.fromEntries(dates.flatMap(({ id, name }) => recordedAs(id, name))))
    const report = await project.report()
    expect(figuresOf(report)).toEqual(expected)
    expect(report.counts).toEqual({
      files: articles,
      onTarget: articles,
      overdue: expected.overdue.length,
      due: expected.due.length,
      later: expected.later.length,
      never: expected.never.length,
      undated: 0,
      links: links.length,
      broken: expected.broken.length,
      ignoredLinks: 0,
      disagreements: 0,
      brokenHere: 0,
      unowned: FOREIGN,
      isUnownedExact: true,
      outdatedTranslations: 0,
      acceptedOverdue: 0,
      acceptedBroken: 0,
    })
  },
)

function recordedAs(id: string, name: string): readonly (readonly [string, string])[] {
  const index = numberOf(name)
  return Number.isNaN(index) ? [] : [[sourceOf(index), id]]
}
