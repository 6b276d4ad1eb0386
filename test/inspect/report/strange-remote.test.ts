// Undocumented lists: with missing, duplicate or escaped entries, and foreign articles.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LinkFinding, Report, ReviewFinding } from '../../../src/web/report/report.ts'
import { article } from '../../support/project.ts'
import { type Listed, type ListingService, startListingService } from './listing-service.ts'
import { createReportProject } from './report-project.ts'

let service: ListingService

beforeAll(async () => {
  service = await startListingService()
})
afterAll(() => service.close())

function list(changes: Partial<Listed>): void {
  Object.assign(service.listed, { reviewDates: [], links: [], articles: {}, ...changes })
}

const FILES = {
  'content/_categories.yml':
    '- name: Guides\n  slug: guides\n- name: Accounts\n  slug: accounts\n  parent: guides\n',
  'content/alpha.md': article('Alpha', {
    categories: ['accounts', 'Guides/Accounts'],
    reviewDate: '2027-01-31',
    body: [
      'See <https://shop.example.org/?a=1&amp;b=2>, [again](https://SHOP.example.org/?a=1&b=2) and',
      '[encoded](https://example.org/caf%C3%A9 "x"), [spelled](<https://example.org/café>).',
      '',
      'An [article](beta.md#text), ![a picture](https://img.example.org) and',
      '<a href="https://raw.example.org/x">raw</a>.',
    ].join('\n'),
  }),
  'content/beta.md': article('Beta', { body: '## Text' }),
}

const IDS = { 'alpha.md': 'a', 'beta.md': 'b' }

/** Findings in short form. */
function reviewsOf({ reviews }: Report): Record<string, readonly unknown[][]> {
  const short = ({ title, date, days, file, fileDate }: ReviewFinding) => [title, date, days, file, fileDate]
  const { overdue, due, later, never, undated } = reviews
  return Object.fromEntries(
    Object.entries({ overdue, due, later, never, undated }).map(([name, { entries }]) => [
      name,
      entries.map(short),
    ]),
  )
}

const linkOf = ({ article: { title }, url, host, places }: Omit<LinkFinding, 'isAccepted'>) => [
  title,
  url,
  host,
  ...places.map(({ file, line, column }) => `${file}:${line}:${column}`),
]

/** The positions of these texts in alpha.md. */
function placesOf(...texts: readonly string[]): readonly string[] {
  const lines = FILES['content/alpha.md'].split('\n')
  return texts.map((text) => {
    const at = lines.findIndex((line) => line.includes(text))
    return `content/alpha.md:${at + 1}:${(lines[at] ?? '').indexOf(text) + 1}`
  })
}

test('dates that are missing, in another form or invalid', async () => {
  const dates: readonly [id: string, date: unknown][] = [
    ['a', '2027-03-14T23:59:59.999Z'],
    ['b', null],
    ['1', undefined],
    ['2', ''],
    ['3', 'soon'],
    ['4', 20270101],
    ['5', '2027-02-30'],
    ['6', '9999-12-31T00:00:00.000Z'],
    ['7', '2027-03-15'],
    ['8', '2027-04-14 10:00:00'],
    ['9', '2027-04-14T22:30:00-03:00'],
    ['10', '+012027-01-01T00:00:00Z'],
    ['11', '2027-03-15T00:30:00+02:00'],
    ['12', '1970-01-01'],
  ]
  list({
    reviewDates: dates.map(([id, article_review_date]) => ({ id, name: `N${id}`, article_review_date })),
  })
  const project = createReportProject(service.url, FILES)
  await project.know(IDS)
  const report = await project.report()
  expect(reviewsOf(report)).toEqual({
    overdue: [
      ['N12', '1970-01-01', -20_892, undefined, undefined],
      ['N11', '2027-03-14', -1, undefined, undefined],
      ['Na', '2027-03-14', -1, 'content/alpha.md', '2027-01-31'],
    ],
    due: [
      ['N7', '2027-03-15', 0, undefined, undefined],
      ['N8', '2027-04-14', 30, undefined, undefined],
    ],
    later: [['N9', '2027-04-15', 31, undefined, undefined]],
    never: [['N6', '9999-12-31', undefined, undefined, undefined]],
    undated: ['N1', 'N10', 'N2', 'N3', 'N4', 'N5', 'Nb'].map((name) => [
      name,
      '',
      undefined,
      name === 'Nb' ? 'content/beta.md' : undefined,
      undefined,
    ]),
  })
  expect(report.counts).toMatchObject({ overdue: 3, due: 2, later: 1, never: 1, undated: 7, unowned: 12 })
  expect(report.notes).toContain(
    '3 review dates of the target cannot be read: their articles are listed without a date.',
  )
})

test('entries without an id, members without a value, and an article that is listed twice', async () => {
  list({
    reviewDates: [
      null,
      'text',
      { name: 'No id', article_review_date: '2020-01-01' },
      { id: '' },
      { id: 7, name: null, status: 'archived', language: null },
      { id: 'a', name: '', article_review_date: '2027-01-31', status: 'draft', language: 'xx-YY' },
      { id: 'a', name: 'Alpha again', article_review_date: '2020-01-01' },
    ],
    links: [
      null,
      { url: 'https://nobody.example.org', working: false },
      { article_id: 'a', working: false },
      { article_id: 'a', url: null, working: false },
      { article_id: 'a', url: 'https://shop.example.org', working: null },
      { article_id: 'a', url: 'https://shop.example.org', working: 'no' },
      { article_id: 8, url: '//cdn.example.org/x', working: false, articles: { id: 8, name: 'Eight' } },
      { article_id: 8, url: 'mailto:nobody', working: false, articles: null },
    ],
  })
  const project = createReportProject(service.url, FILES)
  await project.know(IDS)
  const { counts, reviews, links, unowned } = await project.report()
  expect(counts).toMatchObject({
    files: 2,
    onTarget: 1,
    overdue: 1,
    undated: 1,
    links: 6,
    broken: 4,
    unowned: 2,
    isUnownedExact: true,
  })
  const facts = { isDraft: true, language: 'xx-YY', file: 'content/alpha.md', url: '/articles/alpha' }
  const place = { line: 4, column: 13, end: { line: 4, column: 25 } }
  const found = { standing: 'overdue', date: '2027-01-31', days: -43, place, fileDate: undefined }
  expect(reviews.overdue.entries).toEqual([
    { id: 'a', title: 'Alpha', ...facts, categories: ['Guides/Accounts'], ...found, isAccepted: false },
  ])
  expect(links.broken.entries.map(linkOf)).toEqual([
    ['Alpha', '', ''],
    ['Alpha', '', ''],
    ['Eight', '//cdn.example.org/x', 'cdn.example.org'],
    ['Eight', 'mailto:nobody', 'mailto:'],
  ])
  expect(unowned.entries.map(({ id, title, kind }) => [id, title, kind])).toEqual([
    ['7', 'Article 7', 'foreign'],
    ['8', 'Eight', 'foreign'],
  ])
})

test('a URL is found in the Markdown however the target writes it', async () => {
  const urls = [
    'https://shop.example.org/?a=1&b=2',
    'https://Shop.example.org/?a=1&amp;b=2',
    'HTTPS://Shop.Example.org/?a=1&#38;b=2',
    'https://example.org/café',
    'https://example.org/caf%c3%a9',
    'https://img.example.org/',
    'https://img.example.org',
    '&#104;ttps://raw.example.org/x',
    '/articles/beta#text',
    'https://shop.example.org/?a=1',
    'https://raw.example.org/X',
  ]
  list({ links: urls.map((url) => ({ article_id: 'a', url, working: false, articles: { name: 'Alpha' } })) })
  const project = createReportProject(service.url, FILES)
  await project.know(IDS)
  const { links } = await project.report()
  const shop = placesOf('https://shop.example.org/?a=1&amp;b=2', 'https://SHOP.example.org/?a=1&b=2')
  const cafe = placesOf('https://example.org/caf%C3%A9', 'https://example.org/café')
  const found = new Map(links.broken.entries.map((each) => [each.url, linkOf(each).slice(2)]))
  // Shown in readable form.
  const shown = urls.map((url) => url.replace(/&amp;|&#38;/, '&').replace('&#104;', 'h'))
  expect(shown.map((url) => found.get(url))).toEqual([
    ...[0, 1, 2].map(() => ['shop.example.org', ...shop]),
    ...[0, 1].map(() => ['example.org', ...cafe]),
    ...[0, 1].map(() => ['img.example.org', ...placesOf('https://img.example.org')]),
    ['raw.example.org', ...placesOf('https://raw.example.org/x')],
    ['', ...placesOf('beta.md#text')],
    ['shop.example.org'],
    ['raw.example.org'],
  ])
  expect(links.summary.hosts.map(({ key, count }) => [key, count])).toEqual([
    ['shop.example.org', 4],
    ['example.org', 2],
    ['img.example.org', 2],
    ['raw.example.org', 2],
    ['', 1],
  ])
})

test('a URL listed without its fragment is found, one with another fragment is not', async () => {
  const project = createReportProject(service.url, {
    'content/alpha.md': article('Alpha', {
      body: '[one](beta.md#text)\n\n<https://x.example.org/u#>\n\n<https://x.example.org/v#a>\n\n<https://x.example.org/v>',
    }),
    'content/beta.md': article('Beta', { body: '## Text' }),
  })
  await project.know(IDS)
  const urls = [
    '/articles/beta',
    ...['u', 'v', 'v#', 'v#a', 'v#b'].map((end) => `https://x.example.org/${end}`),
  ]
  list({ links: urls.map((url) => ({ article_id: 'a', url, working: false })) })
  const { links } = await project.report()
  expect(links.broken.entries.map(({ url, places }) => [url, ...places.map(({ line }) => line)])).toEqual([
    ['/articles/beta', 6],
    ['https://x.example.org/u', 8],
    ['https://x.example.org/v', 12],
    ['https://x.example.org/v#', 12],
    ['https://x.example.org/v#a', 10],
    ['https://x.example.org/v#b'],
  ])
})

test('a referenced definition is fixed once, and URLs that are not web URLs are found, too', async () => {
  const text = [
    '[one][ref] and [two][ref], [mail](mailto:ada@example.org "x"), <tel:+123>',
    '',
    '<!-- include: _part.md -->',
    '',
    '[ref]: https://ref.example.org/é/p',
    '[file]: beta.md',
    '',
    '[three][file] and [four](beta.md)',
  ].join('\n')
  const project = createReportProject(service.url, {
    'content/alpha.md': article('Alpha', { body: text }),
    'content/beta.md': article('Beta'),
    'content/_part.md': '\uFEFF[five][ref]\n\n[ref]: <https://ref.example.org/é/p>\n',
  })
  await project.know(IDS)
  const lines = project.read('content/alpha.md').split('\n')
  const placeOf = (found: string) => {
    const line = lines.findIndex((each) => each.includes(found))
    return `content/alpha.md:${line + 1}:${(lines[line] ?? '').indexOf(found) + 1}`
  }
  const urls = ['https://ref.example.org/%C3%A9/p', 'mailto:ada@example.org', '/articles/beta']
  list({ links: urls.map((url) => ({ article_id: 'a', url, working: false, articles: { name: 'Alpha' } })) })
  const { links } = await project.report()
  const four = placeOf('[four](').replace(/\d+$/, (column) => String(Number(column) + '[four]('.length))
  expect(links.broken.entries.map((each) => linkOf(each).slice(1))).toEqual([
    ['/articles/beta', '', placeOf('beta.md'), four],
    // Of several definitions of a name, the first applies.
    ['https://ref.example.org/%C3%A9/p', 'ref.example.org', 'content/_part.md:3:9'],
    ['mailto:ada@example.org', 'mailto:', placeOf('mailto:ada')],
  ])
})

test('a link that is listed once for each occurrence has one position each time', async () => {
  const url = 'https://x.example.org/'
  const project = createReportProject(service.url, {
    'content/alpha.md': article('Alpha', { body: `<${url}>\n\n<${url}>\n\n<${url}>` }),
  })
  await project.know({ 'alpha.md': 'a' })
  const linesOf = async (times: number) => {
    list({ links: Array.from({ length: times }, () => ({ article_id: 'a', url, working: false })) })
    const { links, counts } = await project.report()
    expect(counts.broken).toBe(times)
    return links.broken.entries.map(({ places }) => places.map(({ line }) => line))
  }
  expect(await linesOf(1)).toEqual([[6, 8, 10]])
  expect(await linesOf(2)).toEqual([[6], [8, 10]])
  expect(await linesOf(3)).toEqual([[6], [8], [10]])
  expect(await linesOf(5)).toEqual([[6], [8], [10], [10], [10]])
})

test('an article that the list omits because it has no date is read and listed as undated', async () => {
  list({
    reviewDates: [{ id: 'b', name: 'Beta', article_review_date: '2027-03-20' }],
    links: [{ article_id: 'a', url: 'https://img.example.org', working: false, articles: { name: 'A' } }],
    articles: { a: { name: 'Alpha there', status: 'draft', article_review_date: null } },
  })
  const project = createReportProject(service.url, FILES)
  await project.know(IDS)
  const { counts, reviews, links } = await project.report()
  expect(counts).toMatchObject({ onTarget: 2, due: 1, undated: 1, unowned: 0 })
  expect(reviews.undated.entries).toMatchObject([
    { id: 'a', title: 'Alpha there', isDraft: true, file: 'content/alpha.md', fileDate: '2027-01-31' },
  ])
  expect(links.broken.entries[0]?.article.title).toBe('Alpha there')
})

test('a truncated list is reported, and an invalid one does not count as empty', async () => {
  const date = '2027-03-01'
  list({
    articles: {
      a: { name: 'Alpha', article_review_date: date },
      b: { name: 'Beta', article_review_date: null },
    },
  })
  const project = createReportProject(service.url, FILES)
  await project.know(IDS)
  const { counts, notes } = await project.report()
  expect(counts).toMatchObject({ onTarget: 2, overdue: 1, undated: 1 })
  expect(notes).toEqual([
    "The target's list of review dates leaves out 1 article of these files that has one. It was read separately. Other articles that the list leaves out are not in this report.",
  ])
  for (const none of [null, undefined])
    for (const name of ['reviewDates', 'links']) {
      list({ [name]: none })
      await expect(project.report()).rejects.toMatchObject({ code: 'TARGET_ANSWER_INVALID' })
    }
})

test('a link that is listed twice counts once, if its id is unique', async () => {
  const link = { id: 1, article_id: 'a', url: 'https://img.example.org', working: false }
  const other = { ...link, url: 'https://raw.example.org/x' }
  list({ links: [link, other, link, { ...link, article_id: 'b' }, other] })
  const project = createReportProject(service.url, FILES)
  await project.know(IDS)
  const { counts, links } = await project.report()
  expect([counts.links, counts.broken, links.broken.entries.length]).toEqual([3, 3, 3])
})

test('long titles and URLs are cut to a readable length, but found anyway', async () => {
  const long = `https://x.example.org/${'ab'.repeat(2000)}`
  const data = `data:image/png,${'x'.repeat(1983)}\u{1F600}${'x'.repeat(200_000)}`
  list({
    reviewDates: [{ id: 'a', name: 'An \u{1F600} article '.repeat(20_000) }],
    links: [long, data].map((url) => ({ article_id: 'a', url, working: false })),
  })
  const project = createReportProject(service.url, {
    'content/alpha.md': article('Alpha', { body: `<${long}>` }),
  })
  await project.know({ 'alpha.md': 'a' })
  const { reviews, links } = await project.report()
  expect(reviews.undated.entries[0]?.title).toMatch(/^(?:An \u{1F600} article ){10,}.*…$/u)
  expect(reviews.undated.entries[0]?.title.length).toBeLessThan(400)
  expect(links.broken.entries.map(({ url, places }) => [url, places.length])).toEqual([
    [`${data.slice(0, 1998)}…`, 0],
    [`${long.slice(0, 1999)}…`, 1],
  ])
})
