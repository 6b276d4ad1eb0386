import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issueKey } from '../../../src/server/open-administration.ts'
import { hashApiKey, keyIdOf, rotateApiKey, watchApiKey } from '../../../src/server/api-key.ts'
import { openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { createMemoryLog } from '../../support/memory-log.ts'
import { API_KEY, createArticle, NOW, type TestServer } from '../../support/server.ts'
import { addKey, withAdmin } from '../../support/with-admin.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'

const SIGN_IN = '/_kb/sign-in'
const SIGN_OUT = '/_kb/sign-out'

async function openWithDrafts(options: Parameters<typeof openPagesServer>[0] = {}): Promise<TestServer> {
  const server = await openPagesServer(options)
  await createArticle(server, { title: 'Public', slug: 'public', content: '<p>old words</p>' })
  await createArticle(server, {
    title: 'Public',
    slug: 'public',
    content: '<p>new words</p>',
    status: 'draft',
  })
  await createArticle(server, {
    title: 'Draft only',
    slug: 'draft',
    status: 'draft',
    content: '<p>new words</p>',
  })
  return server
}

/** A stored key of the default site or of another one, and a function that revokes it. */
async function storeKey(server: TestServer, site?: string) {
  const siteId =
    site === undefined
      ? server.store.defaultSiteId
      : (
          await withAdmin(server.db, (admin) =>
            admin.sites.add({ name: site, languages: ['en'], articleLimit: null, now: NOW }),
          )
        ).id
  const { key, hash, id } = issueKey(siteId)
  await addKey(server.db, { hash, siteId, readOnly: true })
  return { key, revoke: () => withAdmin(server.db, (admin) => admin.keys.revoke(siteId, id, NOW)) }
}

test('/sign-in redirects to the form, unless articles are at the top level', async () => {
  const leadsTo = async (article: string) => {
    const pages = { ...PAGES, addresses: { ...PAGES.addresses, article, base: '/help' } }
    const { status, headers } = await visitorOf(await openPagesServer({ pages })).get('/sign-in')
    return [status, headers.get('location')]
  }
  expect(await leadsTo('/articles/{slug}')).toEqual([302, '/help/_kb/sign-in'])
  expect(await leadsTo('/{slug}')).toEqual([404, null])
})

test('the form is in the language of the browser, unless the URL has one', async () => {
  const visitor = visitorOf(await openPagesServer({ languages: ['en', 'de'] }))
  const german = { 'Accept-Language': 'de-CH' }
  const texts = [SIGN_IN, `${SIGN_IN}?lang=en`].map(async (path) => {
    const { text, headers } = await visitor.get(path, german)
    return [text.includes('lang="de"'), headers.get('Vary')?.includes('Accept-Language')]
  })
  expect(await Promise.all(texts)).toEqual([
    [true, true],
    [false, true],
  ])
})

test('signed-in users see marked drafts and the status, but not after signing out', async () => {
  const visitor = visitorOf(await openWithDrafts())
  expect((await visitor.get('/status')).status).toBe(403)
  const signedIn = await visitor.post(SIGN_IN, { key: API_KEY, to: '/articles/draft?lang=en' })
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/articles/draft?lang=en'])
  expect((await visitor.get('/articles/draft')).text).toContain('Draft only')
  expect((await visitor.get('/articles/public')).text).toContain('new words')
  expect((await visitor.get('/search?q=new+words')).text).toContain('2 articles found')
  expect((await visitor.get('/status')).status).toBe(200)
  const list = (await visitor.get('/categories/guides')).text
  expect(list.slice(list.indexOf('<main')).match(/href="\/articles\/public"/g)).toHaveLength(1)

  const signedOut = await visitor.post(SIGN_OUT, {})
  expect([signedOut.status, signedOut.headers.get('location'), visitor.cookie()]).toEqual([
    303,
    '/',
    undefined,
  ])
  expect((await visitor.get('/articles/draft')).status).toBe(404)
  expect((await visitor.get('/articles/public')).text).toContain('old words')
  expect((await visitor.get('/search?q=new+words')).text).not.toContain('/articles/draft')
})

test('the cookie contains no key, is only for this host, and is secure with https', async () => {
  const server = await openWithDrafts()
  const plain = await visitorOf(server).post(SIGN_IN, { key: API_KEY })
  const cookie = plain.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^kb_session=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(decodeURIComponent(cookie)).not.toContain(API_KEY)
  const secure = await visitorOf(server).post(SIGN_IN, { key: API_KEY }, { 'X-Forwarded-Proto': 'https' })
  expect(secure.headers.get('set-cookie')).toMatch(/; HttpOnly; Secure; SameSite=Strict$/)
})

test('responses to signed-in users are not stored by shared caches', async () => {
  const visitor = visitorOf(await openWithDrafts())
  expect((await visitor.get('/articles/public')).headers.get('cache-control')).toBe('no-cache')
  expect((await visitor.get('/articles/public')).headers.get('vary')).toContain('Cookie')
  await visitor.post(SIGN_IN, { key: API_KEY })
  expect((await visitor.get('/articles/public')).headers.get('cache-control')).toContain('private')
})

test('a key in the header has the same effect, and a wrong one is rejected', async () => {
  const visitor = visitorOf(await openWithDrafts())
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
  expect((await visitor.get('/articles/draft', bearer(API_KEY))).status).toBe(200)
  expect((await visitor.get('/articles/public', bearer('wrong'))).status).toBe(401)
  expect((await visitor.get('/articles/draft')).status).toBe(404)
})

test('a revoked key is invalid at once', async () => {
  const server = await openWithDrafts()
  const { key, revoke } = await storeKey(server)
  const visitor = visitorOf(server)
  await visitor.post(SIGN_IN, { key })
  expect((await visitor.get('/articles/draft')).status).toBe(200)
  await revoke()
  expect((await visitor.get('/articles/draft')).status).toBe(404)
  expect((await visitor.get('/status')).status).toBe(403)
  expect((await visitor.post(SIGN_IN, { key })).status).toBe(401)
})

test('a foreign key, an unknown one and none are rejected with the same message', async () => {
  const server = await openWithDrafts()
  const other = await storeKey(server, 'other')
  const answers = []
  for (const key of [other.key, 'kb_unknown', '', ' ', '\0', 'é'.repeat(50)]) {
    const visitor = visitorOf(server)
    const { status, text, headers } = await visitor.post(SIGN_IN, { key })
    answers.push({ status, text, cookie: headers.get('set-cookie') })
  }
  const [first] = answers
  expect(first).toMatchObject({ status: 401, cookie: null })
  expect(first?.text).toContain('is unknown or was revoked')
  for (const answer of answers) expect(answer).toEqual(first)
  const header = { Authorization: `Bearer ${other.key}` }
  expect((await visitorOf(server).get('/articles/draft', header)).status).toBe(401)
})

test('a session ends after half a day', async () => {
  let now = Date.parse(NOW)
  const visitor = visitorOf(await openWithDrafts({ clock: () => new Date(now) }))
  await visitor.post(SIGN_IN, { key: API_KEY })
  now += 12 * 3_600_000 - 1
  expect((await visitor.get('/status')).status).toBe(200)
  now += 1
  expect((await visitor.get('/status')).status).toBe(403)
})

test('a forged or changed cookie is invalid', async () => {
  const server = await openWithDrafts()
  const visitor = visitorOf(server)
  await visitor.post(SIGN_IN, { key: API_KEY })
  const cookie = visitor.cookie() ?? ''
  const [, value = ''] = cookie.split('=', 2)
  const forged = [`kb_session=${value}x`, `kb_session=${value.slice(1)}`, 'kb_session=', 'kb_session=%ff']
  for (const made of forged) {
    expect([made, (await visitorOf(server, made).get('/status')).status]).toEqual([made, 403])
  }
})

test('a session survives a restart and is valid in another process, unless the key differs', async () => {
  const server = await openWithDrafts()
  const visitor = visitorOf(server)
  await visitor.post(SIGN_IN, { key: API_KEY })
  const open = async (apiKey: string) => {
    const kb = await openKnowledgeBase({ db: server.db, apiKey, pages: PAGES, clock: () => new Date(NOW) })
    const { status } = await visitorOf(kb, visitor.cookie()).get('/status')
    await kb.close()
    return status
  }
  expect([await open(API_KEY), await open('another key')]).toEqual([200, 403])
})

test('forms of other sites are rejected', async () => {
  const server = await openWithDrafts()
  const refused = [
    { Origin: 'http://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost' },
  ]
  for (const headers of refused) {
    const visitor = visitorOf(server)
    const { status } = await visitor.post(SIGN_IN, { key: API_KEY }, headers)
    expect([headers, status, visitor.cookie()]).toEqual([headers, 403, undefined])
    await visitor.post(SIGN_IN, { key: API_KEY })
    expect((await visitor.post(SIGN_OUT, {}, headers)).status).toBe(403)
    expect((await visitor.get('/status')).status).toBe(200)
  }
})

test('after signing in, the redirect stays on this host', async () => {
  const server = await openWithDrafts()
  const goals = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/%0d%0aX: y',
  ]
  for (const to of goals) {
    const { headers } = await visitorOf(server).post(SIGN_IN, { key: API_KEY, to })
    const location = headers.get('location') ?? ''
    expect([to, new URL(location, 'http://localhost').origin]).toEqual([to, 'http://localhost'])
    expect(location).toMatch(/^\/(?!\/)/)
  }
})

test('a session ends with its key: replaced, or expired', async () => {
  const file = join(temporaryFolder(), 'api-key')
  const own = rotateApiKey(file)
  let now = new Date(NOW)
  const server = await openPagesServer({ apiKey: watchApiKey(file), clock: () => now })
  const soon = '2026-03-01T11:00:00.000Z'
  const stored = 'a-key-that-will-expire'
  await addKey(server.db, { siteId: server.store.defaultSiteId, hash: hashApiKey(stored), expiresAt: soon })
  const [first, second] = [visitorOf(server), visitorOf(server)]
  expect((await first.post(SIGN_IN, { key: stored })).status).toBe(303)
  expect((await second.post(SIGN_IN, { key: own })).status).toBe(303)
  const statuses = async () => [(await first.get('/status')).status, (await second.get('/status')).status]
  expect(await statuses()).toEqual([200, 200])
  now = new Date(soon)
  expect(await statuses()).toEqual([403, 200])
  rotateApiKey(file)
  expect(await statuses()).toEqual([403, 403])
})

test('failed attempts are counted, right keys are not', async () => {
  const server = await openWithDrafts()
  for (let at = 0; at < 15; at++) {
    expect((await visitorOf(server).post(SIGN_IN, { key: API_KEY })).status).toBe(303)
  }
  const statuses: number[] = []
  for (let at = 0; at < 12; at++) {
    statuses.push((await visitorOf(server).post(SIGN_IN, { key: `kb_wrong_${at}` })).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  const late = await visitorOf(server).post(SIGN_IN, { key: 'kb_wrong' })
  expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true])
  // Behind a proxy, others share the address; a short key could be the next guess.
  const long = 'a-key-that-nobody-guesses'
  await addKey(server.db, { siteId: server.store.defaultSiteId, hash: hashApiKey(long) })
  expect((await visitorOf(server).post(SIGN_IN, { key: long })).status).toBe(303)
  expect((await visitorOf(server).post(SIGN_IN, { key: API_KEY })).status).toBe(429)
})

test('a form that is too large is not read', async () => {
  const server = await openWithDrafts()
  const { status } = await visitorOf(server).post(SIGN_IN, { key: 'k'.repeat(20_000) })
  expect(status).toBe(413)
})

test("the log contains the key's id but nothing that was typed", async () => {
  const log = createMemoryLog('info')
  const server = await openWithDrafts({ log })
  const visitor = visitorOf(server)
  await visitor.post(SIGN_IN, { key: 'kb_typed_in_secret' })
  await visitor.post(SIGN_IN, { key: API_KEY })
  await visitor.get('/status?sort=secret-of-the-query')
  const entries = log.entries().filter(({ route }) => route === SIGN_IN || route === '/status')
  const keyId = keyIdOf(hashApiKey(API_KEY))
  expect(entries.map(({ method, route, status, keyId: by }) => [method, route, status, by])).toEqual([
    ['POST', SIGN_IN, 401, undefined],
    ['POST', SIGN_IN, 303, keyId],
    ['GET', '/status', 200, keyId],
  ])
  expect(log.text()).not.toMatch(/secret/)
  expect(log.text()).not.toContain(API_KEY)
})

test('an editor signs in and out in the language of the page', async () => {
  const pages = { ...PAGES, signIn: 'shown' as const }
  const visitor = visitorOf(await openWithDrafts({ pages, languages: ['en', 'de'] }))
  expect((await visitor.get('/?lang=de')).text).toContain(
    'href="/_kb/sign-in?lang=de&amp;to=%2F%3Flang%3Dde"',
  )
  const form = await visitor.get('/_kb/sign-in?to=/&lang=de')
  expect(form.text).toContain('action="/_kb/sign-in?lang=de"')
  const wrong = await visitor.post('/_kb/sign-in?lang=de', { key: 'kb_wrong' })
  expect(wrong.text).toContain('Dieser Schlüssel ist unbekannt oder wurde widerrufen.')
  await visitor.post('/_kb/sign-in?lang=de', { key: API_KEY })
  expect((await visitor.get('/?lang=de')).text).toContain('<button type="submit">Abmelden</button>')
})
