import { expect, test } from 'vitest'
import { createArticle } from '../../support/server.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'

const STRANGE = [
  ['too long', 'x'.repeat(15_000)],
  ['NUL', 'a%00b'],
  ['a broken escape', '%'],
  ['another broken escape', '%zz%1'],
  ['no UTF-8', '%ff%fe%c0%80'],
  ['half a character', '%ed%a0%80'],
  ['markup', '%3Cscript%3Ealert(1)%3C/script%3E'],
  ['quotes', '%22%27%60%20onload=alert(1)'],
  ['SQL', "'%20or%201=1%20--%20"],
  ['wild cards', '%25_*?'],
  ['up', '..%2f..%2f..%2fetc%2fpasswd'],
  ['line ends', '%0d%0aSet-Cookie:%20a=b'],
  ['numbers', '-1'],
  ['an object', '__proto__'],
  ['a list place of somebody else', Buffer.from('[1e999,null,{}]').toString('base64url')],
  [
    'a list place with strange words',
    Buffer.from(String.raw`[0,"\ud800\u0000","\u0000"]`).toString('base64url'),
  ],
] as const

const PLACES = [
  '/search?q=X',
  '/search?q=X&part',
  '/search?after=X',
  '/search?lang=X',
  '/?lang=X',
  '/articles/X',
  '/articles/public?lang=X',
  '/articles/public?X=X',
  '/categories/X',
  '/categories/guides?after=X',
  '/categories/guides?lang=X',
  '/tags/X',
  '/tags/security?after=X',
  '/tags/security?lang=X',
  '/status?sort=X&host=X',
  '/_kb/X',
  '/_kb/X/pages.css',
  '/_kb/sign-in?to=X',
  '/X',
]

test.each(STRANGE)('%s at any position has a normal response', async (_, strange) => {
  const faults: unknown[] = []
  const server = await openPagesServer({
    languages: ['en', 'fr'],
    onError: (error) => void faults.push(error),
  })
  await createArticle(server, { slug: 'public', tags: [{ value: server.security }] })
  const visitor = visitorOf(server)
  for (const headers of [{}, { Authorization: 'Bearer key-for-tests' }]) {
    for (const place of PLACES) {
      const {
        status,
        text,
        headers: sent,
      } = await visitor.get(
        place.replaceAll('X', () => strange),
        headers,
      )
      expect([place, [200, 302, 403, 404].includes(status), faults]).toEqual([place, true, []])
      expect([place, /<script>alert|"\s*onload=/.test(text), sent.get('set-cookie')]).toEqual([
        place,
        false,
        null,
      ])
    }
  }
})

test('unusual headers have a normal response', async () => {
  const server = await openPagesServer()
  const visitor = visitorOf(server)
  for (const value of [
    'kb_session',
    'kb_session=',
    'kb_session=%',
    `kb_session=${'x'.repeat(9000)}`,
    ';;;=',
    'kb_session=1.2.3',
  ]) {
    expect([value, (await visitor.get('/status', { Cookie: value })).status]).toEqual([value, 403])
  }
  expect((await visitor.get('/', { Authorization: 'Bearer abc' })).status).toBe(401)
  // Authentication for a proxy in front is ignored.
  expect((await visitor.get('/', { Authorization: 'Basic abc' })).status).toBe(200)
  expect((await visitor.get('/', { 'If-None-Match': '*' })).status).toBe(304)
})

test('without pages, nothing changes', async () => {
  const server = await openPagesServer({ pages: undefined })
  for (const path of ['/', '/status', '/_kb/sign-in', '/articles/a']) {
    const { status, text, headers } = await visitorOf(server).get(path)
    expect([path, status, JSON.parse(text).message]).toEqual([path, 404, `There is no operation GET ${path}`])
    expect(headers.get('content-type')).toBe('application/json')
  }
})

test('with pages, the API responds as before', async () => {
  const [withPages, without] = [await openPagesServer(), await openPagesServer({ pages: undefined })]
  const asked = [
    ['GET', '/api/v2/nothing'],
    ['GET', '/api/v2'],
    ['GET', '/api/v2?x=1'],
    ['HEAD', '/api/v2/'],
    ['GET', '//api/v2/articles'],
    ['GET', '/api/v3/articles'],
    ['GET', '/api'],
    ['GET', '/api/v2/articles/nothing'],
    ['PATCH', '/api/v2/articles/nothing'],
    ['POST', '/articles/a'],
    ['DELETE', '/'],
    ['POST', '/healthz'],
    ['GET', '/healthz'],
    ['OPTIONS', '/api/v2/articles'],
  ] as const
  for (const [method, path] of asked) {
    const answers = await Promise.all([withPages, without].map((server) => server.call(method, path)))
    const [one, other] = answers.map(({ status, type, body }) => ({ method, path, status, type, body }))
    expect(one).toEqual(other)
  }
  const nobody = await withPages.app.request('/api/v2/nothing')
  expect(nobody.status).toBe(401)
})

test('pages with URLs beside the API are shown there', async () => {
  const addresses = { ...PAGES.addresses, article: '/api/{slug}' }
  const server = await openPagesServer({ pages: { ...PAGES, addresses } })
  await createArticle(server, { slug: 'errors' })
  const visitor = visitorOf(server)
  expect((await visitor.get('/api/errors')).text).toContain('Reset your password')
  expect((await visitor.get('/api/v2')).headers.get('content-type')).toBe('application/json')
})

test('a site with articles at the top level has its own pages, too', async () => {
  const addresses = { ...PAGES.addresses, article: '/{language}/{slug}' }
  const server = await openPagesServer({ pages: { ...PAGES, addresses } })
  await createArticle(server, { slug: 'sign-in' })
  const visitor = visitorOf(server)
  expect((await visitor.get('/en/sign-in')).text).toContain('Reset your password')
  expect((await visitor.get('/_kb/sign-in')).text).toContain('API key')
  expect((await visitor.get('/apis')).headers.get('content-type')).toContain('text/html')
  expect((await visitor.get('/healthz')).headers.get('content-type')).toBe('application/json')
})
