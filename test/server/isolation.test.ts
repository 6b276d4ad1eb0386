// Two knowledge bases in one database, with the same names in both: neither can read or change anything of the other.
import { expect, onTestFinished, test } from 'vitest'
import { type Route, type RouteName, pathOf, routes } from '../../src/api/contract/routes.ts'
import { issueKey, openAdministration } from '../../src/server/open-administration.ts'
import { dumpDatabase } from '../support/dump-database.ts'
import { API_KEY, NOW, openTestServer, SEED, type TestServer } from '../support/server.ts'
import { fileName, putFile } from '../support/stored-files.ts'
import { addKey } from '../support/with-admin.ts'

const ROUTES = Object.entries(routes) as [RouteName, Route][]

/** One site as its users see it. */
interface SiteView {
  readonly id: string
  readonly key: string
  readonly article: string
  readonly category: string
  readonly tag: string
}

async function openTwoSites(): Promise<{ server: TestServer; own: SiteView; other: SiteView }> {
  const server = await openTestServer({ languages: ['en', 'fr'] })
  const admin = await openAdministration({ db: server.db, languages: ['en'], mayCreate: false, now: NOW })
  onTestFinished(() => admin.close())
  const docs = await admin.sites.add({ name: 'docs', languages: ['en', 'fr'], articleLimit: null, now: NOW })
  const user = await admin.users.add(docs.id, {
    username: 'secret-user',
    first_name: '',
    last_name: '',
    email_address: '',
  })
  const { key, hash } = issueKey(docs.id)
  await admin.keys.add({ hash, siteId: docs.id, userId: user.id, label: '', readOnly: false, now: NOW })
  const seeded = await server.store.seed(docs.id, SEED, NOW)
  const [category = '', tag = ''] = [seeded.categories['guides'], seeded.tags['security']]
  const own = { id: server.store.defaultSiteId, key: API_KEY, category: server.guides, tag: server.security }
  const other = { id: docs.id, key, category, tag }
  return {
    server,
    own: { ...own, article: await write(server, own) },
    other: { ...other, article: await write(server, other) },
  }
}

/** Uses the same words in every site, because slugs are not secret. */
async function write(server: TestServer, site: Omit<SiteView, 'article'>): Promise<string> {
  const answer = await callAs(server, site.key, 'PUT', '/api/v2/articles', articleOf(site))
  expect(answer).toMatchObject({ status: 200 })
  const { body } = await callAs(server, site.key, 'GET', '/api/v2/tools/review_dates')
  const [entry] = (body as { data: { id: string }[] }).data
  return entry?.id ?? ''
}

function articleOf({ category, tag }: Pick<SiteView, 'category' | 'tag'>, changes: object = {}): object {
  return {
    title: 'Welcome',
    slug: 'welcome',
    categories: [{ value: category }],
    tags: [{ value: tag }],
    excerpt: '',
    ordering: 1,
    status: 'published',
    content: '<p><a href="https://example.com/a">a</a></p>',
    articleReviewDate: '2027-01-31',
    ...changes,
  }
}

function callAs(server: TestServer, key: string, method: string, path: string, body?: unknown) {
  return server.call(method, path, body, { Authorization: `Bearer ${key}` })
}

/** A body that the route accepts, with the ids of `site` in it. */
function bodyFor(name: RouteName, id: string, site: SiteView): object | undefined {
  const text = { name: 'Taken over', slug: 'taken-over', lang: 'en' }
  if (name === 'updateCategory') return { ...text, priority: 1 }
  if (name === 'updateTag') return { ...text, id }
  const article = articleOf(site, { slug: 'taken-over' })
  if (name === 'writeArticles') return { articles: [article] }
  if (name === 'setSources') return { sources: [{ id: site.article, path: 'taken-over.md' }] }
  if (name === 'findMissingFiles') return { files: [fileName('txt', site.id)] }
  return routes[name].request === undefined ? undefined : article
}

function idFor(path: string, site: SiteView): string {
  if (path.includes('/categories/')) return site.category
  return path.includes('/tags/') ? site.tag : site.article
}

// A file name is not an id: every site may have the same one.
for (const [name, route] of ROUTES.filter(([, { path, takesFile }]) => path.includes('{id}') && !takesFile)) {
  test(`${name}: an id of another site is unknown, and nothing changes`, async () => {
    const { server, own, other } = await openTwoSites()
    const before = dumpDatabase(server.db)
    for (const [caller, stranger] of [
      [own, other],
      [other, own],
    ] as const) {
      const id = idFor(route.path, stranger)
      for (const query of route.query === undefined ? [''] : ['', '?lang=fr']) {
        const path = `${pathOf(route, id)}${query}`
        const { status, body } = await callAs(
          server,
          caller.key,
          route.method,
          path,
          bodyFor(name, id, caller),
        )
        expect({ status, body }).toEqual({
          status: 404,
          body: { success: false, message: expect.stringContaining(id) },
        })
      }
    }
    expect(dumpDatabase(server.db)).toEqual(before)
  })
}

for (const [name, route] of ROUTES.filter(([, { path }]) => !path.includes('{id}'))) {
  test(`${name}: nothing of another site is in the answer`, async () => {
    const { server, own, other } = await openTwoSites()
    for (const [caller, stranger] of [
      [own, other],
      [other, own],
    ] as const) {
      const { status, body } = await callAs(
        server,
        caller.key,
        route.method,
        route.path,
        bodyFor(name, '', caller),
      )
      const text = JSON.stringify(body)
      const { key: _, ...ids } = stranger
      expect({ status, shown: Object.values(ids).filter((id) => text.includes(id)) }).toEqual({
        status: 200,
        shown: [],
      })
      expect(text.includes('secret-user')).toBe(caller === other && name === 'listReviewDates')
    }
  })
}

test('in a batch, an id of another site is unknown, and nothing changes', async () => {
  const { server, own, other } = await openTwoSites()
  const before = dumpDatabase(server.db)
  const articles = [{ ...articleOf(own, { slug: 'taken-over' }), id: other.article }]
  const { body } = await callAs(server, own.key, 'POST', '/api/v2/articles', { articles })
  const message = expect.stringContaining(other.article)
  expect(body).toMatchObject({ results: [{ status: 404, success: false, message }] })
  expect(dumpDatabase(server.db)).toEqual(before)
})

test("the file of a foreign site's article is not stored", async () => {
  const { server, own, other } = await openTwoSites()
  const before = dumpDatabase(server.db)
  const sources = [{ id: other.article, path: 'taken-over.md' }]
  expect(await callAs(server, own.key, 'POST', routes.setSources.path, { sources })).toMatchObject({
    status: 200,
  })
  expect(dumpDatabase(server.db)).toEqual(before)
})

test.each(['id', 'path'])('the %s of a file that only SQLite could store is rejected', async (field) => {
  const { server, own } = await openTwoSites()
  const sources = [{ id: own.article, path: 'one.md', [field]: 'one\0.md' }]
  expect(await callAs(server, own.key, 'POST', routes.setSources.path, { sources })).toMatchObject({
    status: 400,
    body: { message: `sources[0].${field} must not contain U+0000 or an unpaired surrogate` },
  })
})

test("the lists contain exactly the items of the key's site", async () => {
  const { server, own, other } = await openTwoSites()
  for (const site of [own, other]) {
    const list = async (path: string) =>
      ((await callAs(server, site.key, 'GET', path)).body as { data: Record<string, unknown>[] }).data
    expect((await list('/api/v2/tools/review_dates')).map(({ id }) => id)).toEqual([site.article])
    const links = await list('/api/v2/tools/link_manager')
    expect(links.map((link) => [link['site_id'], link['article_id']])).toEqual([[site.id, site.article]])
    expect((await list('/api/v2/categories')).map(({ id }) => id)).toContain(site.category)
    expect(await list('/api/v2/categories')).toHaveLength(2)
  }
})

test("references in a body must be in the key's site", async () => {
  const { server, own, other } = await openTwoSites()
  const before = dumpDatabase(server.db)
  const wrongBodies = [
    articleOf({ category: other.category, tag: own.tag }, { slug: 'new' }),
    articleOf({ category: own.category, tag: other.tag }, { slug: 'new' }),
    articleOf(own, { slug: 'new', lang: 'fr', languageParent: other.article }),
  ]
  for (const body of wrongBodies) {
    for (const [method, path] of [
      ['PUT', '/api/v2/articles'],
      ['POST', `/api/v2/articles/${own.article}`],
    ] as const)
      expect(await callAs(server, own.key, method, path, body)).toMatchObject({ status: 400 })
  }
  const category = { name: 'Guides', slug: 'guides', priority: 1, lang: 'en', categoryParent: other.category }
  expect(await callAs(server, own.key, 'POST', `/api/v2/categories/${own.category}`, category)).toMatchObject(
    { status: 400 },
  )
  expect(dumpDatabase(server.db)).toEqual(before)
})

test('a key of another database, or none, gives no access', async () => {
  const { server, own } = await openTwoSites()
  // Only the number of attempts is stored.
  const dump = () => ({ ...dumpDatabase(server.db), quotas: [] })
  const before = dump()
  for (const [name, route] of ROUTES) {
    const { status } = await callAs(server, issueKey(own.id).key, route.method, pathOf(route, 'x'), undefined)
    expect({ name, status }).toEqual({ name, status: 401 })
  }
  expect(dump()).toEqual(before)
})

test('a read-only key is rejected by every write', async () => {
  const { server, own } = await openTwoSites()
  const { key, hash } = issueKey(own.id)
  await addKey(server.db, { hash, siteId: own.id, readOnly: true })
  // Lists derive the links of earlier writes.
  await server.store.catchUpLinks()
  const before = dumpDatabase(server.db)
  for (const [name, route] of ROUTES) {
    const id = route.path.includes('{id}') ? idFor(route.path, own) : undefined
    const { status } = await callAs(
      server,
      key,
      route.method,
      pathOf(route, id),
      bodyFor(name, id ?? '', own),
    )
    expect({ name, status }).toEqual({
      name,
      status: /GET|OPTIONS/.test(route.method) || route.isRead ? 200 : 403,
    })
  }
  expect(dumpDatabase(server.db)).toEqual(before)
})

test('no site knows the files of another one, and each removes only its own', async () => {
  const { server, own, other } = await openTwoSites()
  const name = fileName('txt', 'Hello')
  const missing = async ({ key }: SiteView) =>
    (await callAs(server, key, 'POST', routes.findMissingFiles.path, { files: [name] })).body
  await putFile(server, name, 'Hello')
  expect([await missing(own), await missing(other)]).toMatchObject([{ data: [] }, { data: [name] }])
  await putFile(server, name, 'Hello', { Authorization: `Bearer ${other.key}` })
  expect(await missing(other)).toMatchObject({ data: [] })
  await callAs(
    server,
    own.key,
    'PUT',
    '/api/v2/articles',
    articleOf(own, { slug: 'file', content: `/files/${name}` }),
  )
  expect(await server.store.removeUnusedFiles('9999', NOW)).toBe(1)
  expect([await missing(own), await missing(other)]).toMatchObject([{ data: [] }, { data: [name] }])
})
