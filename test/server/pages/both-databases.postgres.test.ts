// The pages have their own queries: the results from PostgreSQL and SQLite are the same.
import { expect, test } from 'vitest'
import {
  API_KEY,
  articleBody,
  createArticle,
  NOW,
  openTestServer,
  type TestServer,
} from '../../support/server.ts'
import { createPostgresDatabase, runInPostgres } from '../../support/postgres-database.ts'
import { CREATES, foundWhileBusy } from './busy-search.ts'
import { answersInMemory, answersOfServer } from './judged-search.ts'
import { openPagesServer, visitorOf } from './open-pages.ts'

const PATHS = [
  '/',
  '/?lang=fr',
  '/search?q=text',
  '/search?q=a+tetx',
  '/search?q=zeb',
  '/search?q=%F0%9F%98%80+10',
  '/search?q=t%C3%AAxte&lang=fr',
  '/search?q=%EF%B7%BA',
  '/categories/guides',
  '/categories/accounts',
  '/categories/guides?lang=fr',
  '/categories/none',
  '/tags/security',
  '/tags/security?lang=fr',
  '/articles/zebra',
  '/articles/zebra?lang=fr',
  '/articles/pair',
  '/status',
  '/api/v2/categories',
  '/api/v2/tools/review_dates',
  '/api/v2/tools/link_manager',
]

/** In an order in which languages and code points differ. */
const NAMES = [
  'zebra',
  'Zebra 2',
  'äpfel',
  'Apfel',
  'a-b',
  'a b',
  '_x',
  '10',
  '9',
  'é',
  'e\u0301',
  '\u{1f600}',
  '\uffee',
]

async function fill(server: TestServer): Promise<void> {
  const tags = [{ value: server.security }]
  const put = async (path: string, body: object) =>
    expect(await server.call('POST', path, body)).toMatchObject({ status: 200 })
  await put(`/api/v2/categories/${server.guides}`, {
    name: 'Guides FR',
    slug: 'guides-fr',
    priority: 1,
    lang: 'fr',
  })
  await put(`/api/v2/tags/${server.security}`, {
    id: server.security,
    name: 'Sécurité',
    slug: 'securite',
    lang: 'fr',
  })
  for (const [index, name] of NAMES.entries()) {
    await createArticle(server, {
      title: name,
      slug: index === 0 ? 'zebra' : `article-${index}`,
      categories: [{ value: index % 2 === 0 ? server.guides : server.accounts }],
      tags: index % 3 === 0 ? tags : [],
      ordering: index % 2,
      status: index % 5 === 4 ? 'draft' : 'published',
      articleReviewDate: `2026-0${1 + (index % 5)}-15`,
      content: `<p>A text with <a href="https://example.com/${index % 4}">a link</a></p>`,
    })
  }
  const original = (await server.call('GET', '/api/v2/tools/review_dates')).body as {
    data: { id: string; name: string }[]
  }
  const languageParent = original.data.find(({ name }) => name === 'zebra')?.id
  await createArticle(server, {
    title: 'Zèbre',
    slug: 'zebre',
    lang: 'fr',
    languageParent,
    content: '<p>Un texte têxte</p>',
    tags,
  })
  // Letters that represent several words.
  await createArticle(server, { title: 'Blessing', slug: 'blessing', content: '<p>\ufdfa \u037a</p>' })
  await createArticle(server, { title: 'Pair', slug: 'pair' })
  await createArticle(server, { title: 'Pair, drafted', slug: 'pair', status: 'draft' })
  const { store } = server
  const until = '2026-03-01T11:00:00.000Z'
  const target = 'https://example.com/1'
  await store.scheduleTargets(NOW, 100)
  await store.claimLinks(store.defaultSiteId, [target], NOW, until)
  const result = {
    target,
    claimedUntil: until,
    working: false,
    failures: 2,
    status: 404,
    reason: '404 Not Found',
  }
  await store.recordLinkChecks(store.defaultSiteId, [
    { ...result, checkedDate: NOW, nextCheckDate: '2026-03-02T10:00:00.000Z' },
  ])
  expect(await server.call('PUT', '/api/v2/articles', articleBody(server, { slug: 'pair' }))).toMatchObject({
    status: 409,
  })
}

/** Returns the responses to a reader and to an author, with ids replaced in order of appearance. */
async function answersOf(server: TestServer): Promise<Record<string, string>> {
  const ids: string[] = []
  const plain = (text: string) =>
    text.replaceAll(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id)
      return `id ${ids.indexOf(id)}`
    })
  const answers: Record<string, string> = {}
  const author = visitorOf(server)
  await author.post('/_kb/sign-in', { key: API_KEY })
  for (const path of PATHS) {
    const headers = path.startsWith('/api') ? { Authorization: `Bearer ${API_KEY}` } : {}
    for (const [who, visitor] of [
      ['reader', visitorOf(server)],
      ['author', author],
    ] as const) {
      const { status, text } = await visitor.get(path, headers)
      // A page's version is a digest that includes ids.
      answers[`${who} ${path}`] = `${status} ${plain(text).replaceAll(/version="\w+"/g, 'version')}`
    }
  }
  return answers
}

test('readers and authors get the same from both databases', async () => {
  const options = { languages: ['en', 'fr'], linkChecks: undefined }
  const [sqlite, postgres] = [
    await openPagesServer(options),
    await openPagesServer({ ...options, db: await createPostgresDatabase() }),
  ]
  await fill(sqlite)
  await fill(postgres)
  const expected = await answersOf(sqlite)
  expect(await answersOf(postgres)).toEqual(expected)
  expect(expected['author /status']).toContain('Zebra 2')
  expect(expected['reader /search?q=text']).toContain('Apfel')
  expect(expected['reader /search?q=%EF%B7%BA']).toContain('/articles/blessing')
})

test('the judged questions have the same results', async () => {
  const server = await openPagesServer({ db: await createPostgresDatabase() })
  expect(await answersOfServer(server)).toEqual(await answersInMemory())
})

test('a search does not wait for articles that are written or deleted while it updates the index', async () => {
  const server = await openTestServer({ db: await createPostgresDatabase() })
  expect(await foundWhileBusy(server, (sql) => runInPostgres(sql, server.db))).toBe(CREATES)
})
