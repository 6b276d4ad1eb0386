// What the built-in server tells search engines and feed readers, and what it does not.
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { createSiteCatalog } from '../../../src/server/pages/site-catalog.ts'
import { API_KEY, articleBody, createArticle, NOW, type TestServer } from '../../support/server.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'

const URL_OF_PAGES = 'https://help.example.org'

function openPublic(url = URL_OF_PAGES, options: Parameters<typeof openPagesServer>[0] = {}) {
  const addresses = { ...PAGES.addresses, url, base: new URL(url).pathname.replace(/\/$/, '') }
  return openPagesServer({ pages: { ...PAGES, addresses }, ...options })
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

const pathsOf = (xml: string) =>
  allOf(xml, /<loc>(.*?)<\/loc>/g).map((url) => url.replace(URL_OF_PAGES, '').replaceAll('&amp;', '&'))

async function filesOf(server: TestServer, headers: Record<string, string> = {}) {
  const visitor = visitorOf(server)
  const [sitemap, feed] = [
    await visitor.get('/sitemap.xml', headers),
    await visitor.get('/feed.xml', headers),
  ]
  return { sitemap: sitemap.text, feed: feed.text }
}

test('everything visible to readers is in the sitemap once, in all of its languages, and nothing else is, for any viewer', async () => {
  const server = await openPublic(URL_OF_PAGES, { languages: ['en', 'fr', 'de'] })
  const id = await createArticle(server, { title: 'Hello', slug: 'hello' })
  const french = { title: 'Bonjour', slug: 'bonjour', lang: 'fr', languageParent: id }
  await createArticle(server, french)
  await createArticle(server, { ...french, title: 'SECRET', slug: 'hallo', lang: 'de', hideFromSearch: true })
  await createArticle(server, { title: 'SECRET', slug: 'hello', status: 'draft' })
  await createArticle(server, {
    title: 'SECRET',
    slug: 'draft',
    status: 'draft',
    categories: [{ value: server.accounts }],
  })
  await createArticle(server, { title: 'SECRET', slug: 'quiet', hideFromSearch: true })
  const files = await filesOf(server)
  expect(pathsOf(files.sitemap)).toEqual([
    '/',
    '/?lang=fr',
    '/?lang=de',
    '/categories/guides',
    '/categories/guides?lang=fr',
    '/categories/guides?lang=de',
    '/articles/hello',
    '/articles/bonjour?lang=fr',
  ])
  const hello = files.sitemap.split('\n').find((line) => line.includes('/articles/hello</loc>'))
  expect(hello).toBe(
    `<url><loc>${URL_OF_PAGES}/articles/hello</loc><lastmod>2026-03-01T10:00:00.000Z</lastmod>` +
      `<xhtml:link rel="alternate" hreflang="en" href="${URL_OF_PAGES}/articles/hello"/>` +
      `<xhtml:link rel="alternate" hreflang="fr" href="${URL_OF_PAGES}/articles/bonjour?lang=fr"/></url>`,
  )
  expect(allOf(files.feed, /<entry>\n<id>.*<\/id>\n<title>(.*?)<\/title>/g)).toEqual(['Hello'])
  expect(`${files.sitemap}${files.feed}`).not.toContain('SECRET')
  expect(await filesOf(server, { Authorization: `Bearer ${API_KEY}` })).toEqual(files)
  const visitor = visitorOf(server)
  for (const path of pathsOf(files.sitemap))
    expect([path, (await visitor.get(path)).status]).toEqual([path, 200])
  expect((await visitor.get('/articles/quiet')).text).toContain('<meta name="robots" content="noindex" />')
})

test('the feed has the articles that changed last, which keep their ids when they are renamed', async () => {
  let now = 0
  const server = await openPublic(URL_OF_PAGES, { clock: () => new Date(Date.UTC(2026, 2, 1, 0, 0, now++)) })
  const ids: string[] = []
  for (let at = 0; at < 3; at++) ids.push(await createArticle(server, { title: `A${at}`, slug: `a${at}` }))
  const read = async () => {
    const { feed } = await filesOf(server)
    return [allOf(feed, /<title>(A.*?)<\/title>/g).slice(1), allOf(feed, /#(.*?)<\/id>/g)]
  }
  const [newest, middle, oldest] = ids.toReversed()
  expect(await read()).toEqual([
    ['A2', 'A1', 'A0'],
    [newest, middle, oldest],
  ])
  await server.call('POST', `/api/v2/articles/${oldest}`, articleBody(server, { title: 'A9', slug: 'a9' }))
  expect(await read()).toEqual([
    ['A9', 'A2', 'A1'],
    [oldest, newest, middle],
  ])
})

test('long sitemaps are read in slices, in order, each article once', async () => {
  const server = await openPublic()
  const siteId = server.store.defaultSiteId
  for (let at = 0; at < 25; at++)
    await server.call(
      'PUT',
      '/api/v2/articles',
      articleBody(server, {
        title: `A${at % 7}`,
        slug: `a${at}`,
        ordering: at % 3,
        hideFromSearch: at % 5 === 0,
      }),
    )
  const start = { language: '', order: -1, name: '', id: '' }
  const all = await server.store.listIndexed(siteId, start, 100)
  expect([all.length, (await server.store.surveyIndexed(siteId)).count]).toEqual([20, 20])
  for (const count of [1, 7, 20]) {
    const { language, order, name, id } = all[count - 1] ?? start
    const place = await server.store.findIndexedPlace(siteId, start, count)
    expect(place).toMatchObject({ language, order, name, id })
    expect(await server.store.listIndexed(siteId, place ?? start, 100)).toEqual(all.slice(count))
  }
  expect(await server.store.findIndexedPlace(siteId, start, 21)).toBeUndefined()
})

test('the parts of a large sitemap contain each article once, and are sent again only after a change', async () => {
  // With 50 languages, a part has 1000 URLs.
  const languages = Array.from({ length: 50 }, (_, at) =>
    at === 0 ? 'en' : `x${ALPHABET[at % 26]}${ALPHABET[at >> 1]}`,
  )
  const server = await openPublic(URL_OF_PAGES, { languages })
  const beside = new Libsql(server.db)
  onTestFinished(() => void beside.close())
  beside.exec(`with recursive n (i) as (select 0 union all select i + 1 from n where i < 11999)
    insert into articles (id, site_id, name, slug, excerpt, order_by, status, hide_from_search, seo_banner_url,
      review_date, language, language_parent, article_parent, created_by, created_date, last_edited_date, content)
      select 'a' || i, '${server.store.defaultSiteId}', 'A ' || (i % 700), 's-' || i, '', 0, 'published', i % 6 = 0, '',
      null, '', null, null, null, '${NOW}', '${NOW}', '' from n`)
  const visitor = visitorOf(server)
  const parts = pathsOf((await visitor.get('/sitemap.xml')).text)
  const answers = await Promise.all(parts.map((part) => visitor.get(part)))
  const listed = answers.flatMap(({ text }) => pathsOf(text)).filter((path) => path.startsWith('/articles/'))
  expect(parts.length).toBe(11)
  expect(listed.length).toBe(10_000)
  expect(new Set(listed).size).toBe(10_000)
  const tags = answers.map(({ headers }) => headers.get('etag') ?? '')
  expect(new Set(tags).size).toBe(parts.length)
  const again = async () => (await visitor.get(parts[1] ?? '', { 'If-None-Match': tags[1] ?? '' })).status
  expect((await visitor.get(parts[1] ?? '', { 'If-None-Match': tags[0] ?? '' })).status).toBe(200)
  expect(await again()).toBe(304)
  await createArticle(server, { slug: 'new' })
  expect(await again()).toBe(200)
})

test('a computation over all articles is shared by all callers, and runs alone after a change', async () => {
  const server = await openPublic()
  const catalog = createSiteCatalog(server.store, server.store.defaultSiteId)
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const running: number[] = []
  let made = 0
  let active = 0
  const ask = () =>
    catalog.rememberLong('all', async () => {
      running.push(++active)
      await gate
      active--
      return ++made
    })
  const first = [ask(), ask(), ask()]
  await createArticle(server, { slug: 'a' })
  const second = [ask(), ask()]
  await createArticle(server, { slug: 'b' })
  const third = [ask(), ask()]
  open()
  expect(await Promise.all([...first, ...second, ...third])).toEqual([1, 1, 1, 2, 2, 2, 2])
  expect(await ask()).toBe(2)
  expect(running).toEqual([1, 1])
})

test('no page of a published site links the form for keys, unless it is shown', async () => {
  const paths = [
    '/',
    '/search',
    '/search?q=a',
    '/articles/a',
    '/categories/guides',
    '/nope',
    '/status',
    '/sitemap.xml',
  ]
  for (const signIn of ['hidden', 'shown'] as const) {
    const server = await openPagesServer({ pages: { ...PAGES, signIn } })
    await createArticle(server, { slug: 'a' })
    const visitor = visitorOf(server)
    for (const path of paths) {
      const { text } = await visitor.get(path)
      expect([path, /_kb\/sign-in/.test(text), /\bkey\b/i.test(text)]).toEqual([
        path,
        signIn === 'shown',
        false,
      ])
    }
    expect((await visitor.post('/_kb/sign-in', { key: API_KEY, to: '/status' })).status).toBe(303)
    const { status, text } = await visitor.get('/status')
    expect([status, text.includes('Sign out')]).toEqual([200, true])
  }
})

test('below a path, people sign in and stay there', async () => {
  const server = await openPublic('https://example.org/help')
  await createArticle(server, { slug: 'draft', status: 'draft' })
  const visitor = visitorOf(server)
  const form = (await visitor.get('/help/_kb/sign-in?to=%2Farticles%2Fdraft')).text
  expect(form).toContain('action="/help/_kb/sign-in"')
  expect(form).toContain(
    '<link rel="canonical" href="https://example.org/help/_kb/sign-in?to=%2Farticles%2Fdraft"',
  )
  const signedIn = await visitor.post('/help/_kb/sign-in', { key: API_KEY, to: '/articles/draft' })
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/help/articles/draft'])
  expect(signedIn.headers.get('set-cookie')).toContain('Path=/help/;')
  const { status, text } = await visitor.get('/help/articles/draft')
  expect([
    status,
    text.includes('href="/help/status"'),
    text.includes('action="/help/_kb/sign-out"'),
  ]).toEqual([200, true, true])
  const signedOut = await visitor.post('/help/_kb/sign-out', {})
  expect([signedOut.status, signedOut.headers.get('location')]).toEqual([303, '/help/'])
  expect((await visitor.get('/help/articles/draft')).status).toBe(404)
  expect((await visitor.get('/help'.repeat(3200))).status).toBe(404)
  // The API keeps its path.
  expect((await visitor.get('/help/api/v2/articles')).headers.get('content-type')).toBe('application/json')
})
