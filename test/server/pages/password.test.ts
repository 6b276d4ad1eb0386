// A site whose readers share a password: without it, nothing of the site is sent.
import { expect, test } from 'vitest'
import { API_KEY, articleBody, createArticle, type TestServer } from '../../support/server.ts'
import { fileName, PNG, putFile } from '../../support/stored-files.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'

const PASSWORD = 'open sesame'
const FORM = '/_kb/password'
const addresses = { ...PAGES.addresses, url: 'https://acme.example' }
const CLOSED = { ...PAGES, addresses, password: PASSWORD }

async function openClosed(pages = CLOSED, db?: string): Promise<TestServer> {
  return openPagesServer({ pages, languages: ['en', 'fr'], ...(db !== undefined && { db }) })
}

async function openFilled(): Promise<TestServer> {
  const server = await openClosed()
  await createArticle(server, { title: 'Our plans', slug: 'plans', content: '<p>Secret text.</p>' })
  await createArticle(server, { title: 'Draft plans', slug: 'draft', status: 'draft' })
  return server
}

const PATHS = [
  '/',
  '/?lang=fr',
  '/articles/plans',
  '/articles/none',
  '/categories/guides',
  '/tags/security',
  '/search',
  '/search?q=secret',
  '/search?q=secret&part',
  '/status',
  '/sitemap.xml',
  '/feed.xml',
  '/_kb/0/none.css',
  FORM,
]

test.each(PATHS)(
  'without the password, %s is the same page, which names nothing of the site',
  async (path) => {
    const { status, text, headers } = await visitorOf(await openFilled()).get(path)
    expect(status).toBe(401)
    expect(text).toContain(path.includes('lang=fr') ? 'Mot de passe' : 'This site has a password')
    expect(text).not.toMatch(/Our plans|Guides|Security|Secret|API key|role="search"|atom/)
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('cache-control')).toBe('no-store')
  },
)

test('with the password, readers see the requested page and all others, but no drafts', async () => {
  const visitor = visitorOf(await openFilled())
  const entered = await visitor.post(FORM, { password: ` ${PASSWORD}`, to: '/articles/plans?x=1' })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/articles/plans?x=1'])
  const { status, text, headers } = await visitor.get('/articles/plans')
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  expect(text).toContain('Secret text.')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect((await visitor.get('/sitemap.xml')).text).toContain('/articles/plans')
  expect((await visitor.get('/articles/draft')).status).toBe(404)
  expect((await visitor.get('/status')).status).toBe(403)
})

test('the cookie contains no password, is sent with links from other sites, and is secure with https', async () => {
  const server = await openFilled()
  const plain = await visitorOf(server).post(FORM, { password: PASSWORD })
  const cookie = plain.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^kb_reader=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(decodeURIComponent(cookie)).not.toContain(PASSWORD)
  const secure = await visitorOf(server).post(FORM, { password: PASSWORD }, { 'X-Forwarded-Proto': 'https' })
  expect(secure.headers.get('set-cookie')).toMatch(/; HttpOnly; Secure; SameSite=Lax$/)
})

test('another process with the same password accepts the cookie, one with another password does not', async () => {
  const server = await openFilled()
  const visitor = visitorOf(server)
  await visitor.post(FORM, { password: PASSWORD })
  const again = await openClosed(CLOSED, server.db)
  expect((await visitorOf(again, visitor.cookie()).get('/articles/plans')).status).toBe(200)
  const changed = await openClosed({ ...CLOSED, password: 'another one' }, server.db)
  expect((await visitorOf(changed, visitor.cookie()).get('/articles/plans')).status).toBe(401)
  const forged = visitor.cookie()?.replace(/=\d/, (start) => `${start}9`)
  expect((await visitorOf(server, forged).get('/articles/plans')).status).toBe(401)
})

test('an editor needs only a key, and a key opens no reader session', async () => {
  const server = await openFilled()
  const signIn = await visitorOf(server).get('/_kb/sign-in')
  expect(signIn.status).toBe(200)
  expect(signIn.text).not.toMatch(/Guides|role="search"/)
  const editor = visitorOf(server)
  await editor.post('/_kb/sign-in', { key: API_KEY, to: '/articles/draft' })
  expect((await editor.get('/articles/draft')).status).toBe(200)
  expect((await editor.get('/')).text).toContain('Guides')
  expect((await visitorOf(server).get('/', { Authorization: `Bearer ${API_KEY}` })).status).toBe(200)
})

test('robots.txt is public and disallows the site; assets and the API are unchanged', async () => {
  const server = await openFilled()
  const robots = await visitorOf(server).get('/robots.txt')
  expect([robots.status, robots.text]).toEqual([200, 'User-agent: *\nDisallow: /\n'])
  const [style = ''] = /\/_kb\/[^"]+\.css/.exec((await visitorOf(server).get('/')).text) ?? []
  const asset = await visitorOf(server).get(style)
  expect([asset.status, asset.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ])
  expect((await server.call('GET', '/api/v2/categories')).status).toBe(200)
  expect((await server.call('PUT', '/api/v2/articles', articleBody(server))).status).toBe(200)
  expect((await visitorOf(server).get('/healthz')).status).toBe(200)
})

test('a file requires the password, too, and no shared cache stores it', async () => {
  const server = await openFilled()
  const name = fileName('png', PNG)
  expect((await putFile(server, name, PNG)).status).toBe(200)
  const reader = visitorOf(server)
  expect((await reader.get(`/files/${name}`)).status).toBe(401)
  await reader.post(FORM, { password: PASSWORD })
  const { status, headers } = await reader.get(`/files/${name}`)
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, max-age=31536000, immutable'])
  const part = await reader.get(`/files/${name}`, { Range: 'bytes=0-3' })
  expect([part.status, part.headers.get('cache-control')]).toEqual([
    206,
    'private, max-age=31536000, immutable, no-transform',
  ])
  expect((await visitorOf(server).get(`/files/${name}`, { Authorization: `Bearer ${API_KEY}` })).status).toBe(
    200,
  )
})

test('after many wrong passwords, the client address must wait, even with the right one; sessions continue', async () => {
  const server = await openFilled()
  const reader = visitorOf(server)
  await reader.post(FORM, { password: PASSWORD })
  const visitor = visitorOf(server)
  for (let attempt = 0; attempt < 10; attempt++) {
    const { status, text } = await visitor.post(FORM, { password: `wrong ${attempt}` })
    expect(status).toBe(401)
    expect(text).toContain('This password is wrong.')
  }
  for (const password of ['wrong', PASSWORD]) {
    const { status, headers } = await visitor.post(FORM, { password })
    expect([password, status]).toEqual([password, 429])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await reader.get('/articles/plans')).status).toBe(200)
})

test('a form of another site, a huge one and one that redirects to another site are rejected', async () => {
  const visitor = visitorOf(await openFilled())
  const elsewhere = await visitor.post(FORM, { password: PASSWORD }, { Origin: 'https://evil.example' })
  expect(elsewhere.status).toBe(403)
  expect((await visitor.post(FORM, { password: 'x'.repeat(10_000) })).status).toBe(413)
  const { status, headers } = await visitor.post(FORM, { password: PASSWORD, to: '//evil.example' })
  expect([status, headers.get('location')]).toEqual([303, '/'])
})

test('below a public path, the form and the cookie are below it', async () => {
  const below = { ...addresses, url: 'https://acme.example/help', base: '/help' }
  const visitor = visitorOf(await openClosed({ ...CLOSED, addresses: below }))
  expect((await visitor.get('/help/search?q=x')).text).toContain('action="/help/_kb/password"')
  const entered = await visitor.post(`/help${FORM}`, { password: PASSWORD, to: '/search?q=x' })
  expect(entered.headers.get('location')).toBe('/help/search?q=x')
  expect(entered.headers.get('set-cookie')).toContain('Path=/help/')
  expect((await visitor.get('/help/search?q=x')).status).toBe(200)
})
