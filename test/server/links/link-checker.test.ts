// The checker with a real store, real servers, and a clock that only the test moves.
import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import type { CheckedLink } from '../../../src/server/links/link-check-queue.ts'
import {
  type LinkChecker,
  type LinkCheckerParts,
  startLinkChecker,
} from '../../../src/server/links/start-link-checker.ts'
import type { StoredLinkRecord } from '../../../src/server/store/records.ts'
import type { Store } from '../../../src/server/store/open-store.ts'
import { MIGRATIONS } from '../../../src/server/store/sqlite/migrations.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { hashApiKey } from '../../../src/server/api-key.ts'
import { addKey, withAdmin } from '../../support/with-admin.ts'
import { articleBody, createArticle, openTestServer, NOW, type TestServer } from '../../support/server.ts'
import { redirect, resolveToLoopback, serveWeb, silence } from '../../api/link-probe/web-fixture.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

interface Clock {
  nowMs: number
}

interface Checking extends LinkChecker {
  readonly checked: readonly CheckedLink[]
  /** Resolves when this many checks have ended since the checker was started. */
  waitForChecked(count: number): Promise<void>
}

const START_MS = Date.parse(NOW)

/** A checker that looks for links every few milliseconds and does not wait. */
function startChecking(
  store: Store,
  clock: Clock,
  options: Partial<LinkCheckerParts> = {},
  onError: (error: unknown) => void = rethrow,
): Checking {
  const checked: CheckedLink[] = []
  let waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const checker = startLinkChecker({
    store,
    version: '1.2.3',
    clock: () => new Date(clock.nowMs),
    onError,
    intervalMs: DAY_MS,
    allowPrivateAddresses: true,
    limits: { hostPauseMs: 0 },
    pollMs: 5,
    resolve: resolveToLoopback,
    random: () => 0,
    onChecked: (one) => {
      checked.push(one)
      waiting = waiting.filter(({ count, resolve }) => checked.length < count || resolve())
    },
    ...options,
  })
  onTestFinished(() => checker.close())
  return {
    ...checker,
    checked,
    waitForChecked: (count) =>
      new Promise((resolve) => {
        if (checked.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
  }
}

function rethrow(error: unknown): void {
  throw error
}

let articles = 0

/** Creates an article that contains links. */
async function hold(server: Pick<TestServer, 'call' | 'guides'>, ...urls: readonly string[]): Promise<void> {
  const slug = `holder-${articles++}`
  const content = urls.map((url) => `<a href="${url}">x</a>`).join('')
  const { status } = await server.call('PUT', '/api/v2/articles', articleBody(server, { slug, content }))
  expect(status).toBe(200)
}

async function linksOf({ store }: TestServer): Promise<Record<string, boolean>> {
  const links: readonly StoredLinkRecord[] = await store.listLinks(store.defaultSiteId, {
    after: 0,
    limit: 10_000,
  })
  return Object.fromEntries(links.map(({ url, working }) => [url, working]))
}

test('a link breaks with the second failure in a row and works again with the first success', async () => {
  let status = 200
  const web = await serveWeb({ 'a.test/page': () => status, 'a.test/fine': 200 })
  const server = await openTestServer()
  const page = web.url('a.test/page')
  await hold(server, `${page}#one`, web.url('a.test/fine'))
  await hold(server, `${page}#two`, page)
  const clock = { nowMs: START_MS }
  const checking = startChecking(server.store, clock)
  const steps: unknown[] = []
  const step = async (minutes: number, count: number) => {
    clock.nowMs += minutes * MINUTE_MS
    await checking.waitForChecked(count)
    const links = await linksOf(server)
    steps.push([checking.checked.at(-1)?.kind, links[`${page}#one`], links[`${page}#two`], links[page]])
  }
  await checking.waitForChecked(2)
  status = 404
  await step(24 * 60, 4)
  await step(1, 5)
  await step(4, 6)
  status = 200
  await step(16, 7)
  expect(steps.map((each) => (each as unknown[]).slice(1))).toEqual([
    [true, true, true],
    [false, false, false],
    [false, false, false],
    [true, true, true],
  ])
  expect((await linksOf(server))[web.url('a.test/fine')]).toBe(true)
  const { siteId, target, ...others } = checking.checked[4] as CheckedLink
  expect([siteId, target]).toEqual([server.store.defaultSiteId, page])
  expect(others).toEqual({ kind: 'broken', working: false, status: 404, reason: '404 Not Found' })
})

test('a target is requested once, with any number of links and checkers', async () => {
  const web = await serveWeb({ 'a.test/*': 200, 'b.test/*': 200 })
  const server = await openTestServer()
  const pages = Array.from({ length: 40 }, (_, index) =>
    web.url(`${index % 2 === 0 ? 'a' : 'b'}.test/${index}`),
  )
  for (let copy = 0; copy < 3; copy++) await hold(server, ...pages.map((page) => `${page}#${copy}`))
  const second = await openTestServer({ db: server.db })
  const clock = { nowMs: START_MS }
  const checkers = [server, second].map(({ store }) => startChecking(store, clock))
  await web.waitForSeen(40)
  while (checkers.reduce((sum, { checked }) => sum + checked.length, 0) < 40) await setImmediate()
  await Promise.all(checkers.map((checker) => checker.close()))
  expect(web.seen.map(({ page }) => page).toSorted()).toEqual(
    pages.map((page) => page.replace(/^http:\/\/(.*?):\d+/, '$1')).toSorted(),
  )
})

/** Another knowledge base in the database of a server. */
async function openOtherSite({ call, db, store }: TestServer) {
  const site = await withAdmin(db, (admin) =>
    admin.sites.add({ name: 'other', languages: ['en'], articleLimit: null, now: NOW }),
  )
  await addKey(db, { hash: hashApiKey('key-of-the-other'), siteId: site.id })
  const { categories } = await store.seed(site.id, { categories: [{ name: 'Guides', slug: 'guides' }] }, NOW)
  const headers = { Authorization: 'Bearer key-of-the-other' }
  const callOther: TestServer['call'] = (method, path, body) => call(method, path, body, headers)
  return { id: site.id, guides: categories['guides'] ?? '', call: callOther }
}

test('checks of a site are neither visible in another one nor affect it', async () => {
  let status = 200
  const web = await serveWeb({ 'a.test/shared': () => status })
  const server = await openTestServer()
  const { store } = server
  const other = await openOtherSite(server)
  const shared = web.url('a.test/shared')
  const clock = { nowMs: START_MS }
  await hold(server, shared)
  const first = startChecking(store, clock)
  await first.waitForChecked(1)
  await first.close()

  await hold(other, shared)
  await store.scheduleTargets(NOW, 9)
  const standing = async (siteId: string) => ({
    working: (await store.listLinks(siteId, { after: 0, limit: 9 })).map((link) => link.working),
    broken: (await store.listBrokenLinks(siteId, { target: '', number: 0 }, 9)).map((link) => link.reason),
    ...(await store.countLinks(siteId)),
  })
  const works = { working: [true], broken: [], links: 1, unchecked: 0 }
  expect(await standing(other.id)).toEqual({ ...works, unchecked: 1 })

  status = 404
  const second = startChecking(store, clock)
  await second.waitForChecked(1)
  clock.nowMs += MINUTE_MS
  await second.waitForChecked(2)
  await second.close()
  expect(second.checked.map(({ siteId }) => siteId)).toEqual([other.id, other.id])
  expect(await standing(store.defaultSiteId)).toEqual(works)
  expect(await standing(other.id)).toEqual({ ...works, working: [false], broken: ['404 Not Found'] })
  expect(web.seen.filter(({ method }) => method === 'HEAD')).toHaveLength(3)

  await withAdmin(server.db, (admin) => admin.sites.remove('other'))
  expect(await standing(store.defaultSiteId)).toEqual(works)
})

test('slow and busy hosts of one site do not delay checks of another, even at the same host', async () => {
  const web = await serveWeb({
    'b.test/busy': (_, response) => {
      response.setHeader('retry-after', '600')
      return 429
    },
    'a.test/*': (request) => (request.url?.startsWith('/slow') === true ? undefined : 200),
    'b.test/*': 200,
    ...Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`slow-${index}.test/*`, silence])),
  })
  const server = await openTestServer()
  const other = await openOtherSite(server)
  const slow = Array.from({ length: 80 }, (_, index) => web.url(`slow-${index}.test/`))
  await hold(server, web.url('b.test/busy'))
  const clock = { nowMs: START_MS }
  const checking = startChecking(server.store, clock)
  await checking.waitForChecked(1)
  await hold(server, ...Array.from({ length: 20 }, (_, index) => web.url(`a.test/slow-${index}`)), ...slow)
  await web.waitForSeen(1 + 8)
  await hold(other, web.url('a.test/fine'), web.url('b.test/fine'), web.url('slow-0.test/'))
  await checking.waitForChecked(3)
  expect(checking.checked.slice(1).map(({ siteId, target, kind }) => [siteId, target, kind])).toEqual(
    expect.arrayContaining([
      [other.id, web.url('a.test/fine'), 'works'],
      [other.id, web.url('b.test/fine'), 'works'],
    ]),
  )
})

test('a stop during checks loses nothing and returns at once', async () => {
  const web = await serveWeb({ 'a.test/*': silence, 'b.test/*': silence, 'c.test/*': 200 })
  const server = await openTestServer()
  const pages = ['a.test/1', 'a.test/2', 'b.test/1', 'c.test/1'].map((page) => web.url(page))
  await hold(server, ...pages)
  const clock = { nowMs: START_MS }
  const first = startChecking(server.store, clock)
  await Promise.all([web.waitForSeen(3), first.waitForChecked(1)])
  await first.close()
  expect(first.checked.map(({ target }) => target)).toEqual([web.url('c.test/1')])

  const second = startChecking(server.store, clock, { requestTimeoutMs: 20 })
  await second.waitForChecked(3)
  expect(second.checked.map(({ target }) => target).toSorted()).toEqual(pages.slice(0, 3))
})

test('a stop does not wait until the links of all articles are stored', async () => {
  const server = await openTestServer()
  await Promise.all(Array.from({ length: 1000 }, () => hold(server, '/elsewhere')))
  await server.close()
  const checking = await openTestServer({ db: server.db, linkChecks: { intervalMs: DAY_MS, pollMs: 5 } })
  await checking.close()
  const database = new Libsql(server.db)
  onTestFinished(() => void database.close())
  expect(
    database.prepare('select sites.id from sites, meta where linked_revision < revision').get(),
  ).toMatchObject({ id: checking.store.defaultSiteId })
})

test('links claimed by a killed process are checked when the claim expires', async () => {
  const web = await serveWeb({ 'a.test/1': 200 })
  const server = await openTestServer()
  await hold(server, web.url('a.test/1'))
  const clock = { nowMs: START_MS }
  await server.store.scheduleTargets(NOW, 100)
  const until = new Date(START_MS + 15 * MINUTE_MS).toISOString()
  expect(
    await server.store.claimLinks(server.store.defaultSiteId, [web.url('a.test/1')], NOW, until),
  ).toHaveLength(1)
  const checking = startChecking(server.store, clock)
  await hold(server, web.url('b.test/2'))
  await checking.waitForChecked(1)
  expect(web.seen.map(({ page }) => page)).not.toContain('a.test/1')
  clock.nowMs += 15 * MINUTE_MS
  await web.waitForSeen(5)
  expect(web.seen.map(({ page }) => page)).toContain('a.test/1')
})

test('no host gets more than one request at a time, and a slow one does not delay others', async () => {
  const slow: (() => void)[] = []
  const web = await serveWeb({
    'a-slow.test/*': () => new Promise<number>((resolve) => slow.push(() => resolve(200))),
    ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.test/*`, 200])),
  })
  const server = await openTestServer()
  const numbers = Array.from({ length: 100 }, (_, index) => index)
  // More links than the checker claims at a time come first: links due at the same time are sorted by name.
  await hold(server, ...numbers.map((index) => web.url(`a-slow.test/${index}`)))
  await hold(server, ...numbers.slice(0, 40).map((index) => web.url(`${'abcd'[index % 4]}.test/${index}`)))
  const checking = startChecking(
    server.store,
    { nowMs: START_MS },
    { limits: { hostPauseMs: 0, concurrency: 3 } },
  )
  await checking.waitForChecked(40)
  expect(checking.checked.filter(({ target }) => target.includes('a-slow'))).toEqual([])
  expect(slow).toHaveLength(1)
  const { '': overall, ...byHost } = Object.fromEntries(web.most)
  expect(byHost).toEqual({ 'a-slow.test': 1, 'a.test': 1, 'b.test': 1, 'c.test': 1, 'd.test': 1 })
  expect(overall).toBeLessThanOrEqual(3)
  expect(overall).toBeGreaterThan(1)
})

test('a host that another process has claimed is not requested, not even for a redirect', async () => {
  const web = await serveWeb({
    'a.test/1': (request, response) => redirect(web.url('b.test/1'))(request, response),
    'b.test/*': 200,
  })
  const server = await openTestServer()
  const { store } = server
  const until = new Date(START_MS + 15 * MINUTE_MS).toISOString()
  expect(await store.claimHost(store.defaultSiteId, 'b.test', NOW, until)).toBeUndefined()
  expect(await store.claimHost(store.defaultSiteId, 'b.test', NOW, NOW)).toBe(until)
  await hold(server, web.url('a.test/1'), web.url('b.test/2'))
  const clock = { nowMs: START_MS }
  const checking = startChecking(store, clock)
  await checking.waitForChecked(1)
  clock.nowMs += 2 * MINUTE_MS
  await checking.waitForChecked(2)
  expect(checking.checked.map(({ kind, reason }) => [kind, reason])).toEqual(
    Array.from({ length: 2 }, () => ['busy', 'another server process is checking links of the host']),
  )
  await store.freeHost(store.defaultSiteId, 'b.test', until, NOW)
  clock.nowMs += 2 * MINUTE_MS
  await checking.waitForChecked(4)
  expect(checking.checked.slice(2).map(({ kind }) => kind)).toEqual(['works', 'works'])
  expect(web.seen.map(({ page }) => page).toSorted()).toEqual(
    ['a.test/1', 'a.test/1', 'a.test/1', 'b.test/1', 'b.test/2'].toSorted(),
  )
})

test('a busy host is not requested, and its links keep their status', async () => {
  let busy = true
  const web = await serveWeb({
    'a.test/*': (_, response) => {
      response.setHeader('retry-after', '600')
      return busy ? 429 : 200
    },
  })
  const server = await openTestServer()
  await hold(server, web.url('a.test/1'), web.url('a.test/2'), web.url('a.test/3'))
  const clock = { nowMs: START_MS }
  const checking = startChecking(server.store, clock)
  await checking.waitForChecked(3)
  expect(checking.checked.map(({ kind, working }) => [kind, working])).toEqual(
    Array.from({ length: 3 }, () => ['busy', true]),
  )
  expect(web.seen).toHaveLength(1)
  busy = false
  clock.nowMs += 10 * MINUTE_MS
  await checking.waitForChecked(6)
  expect(checking.checked.slice(3).map(({ kind }) => kind)).toEqual(['works', 'works', 'works'])
})

test('a relative link works when its article is published', async () => {
  const server = await openTestServer()
  const create = (changes: object) => server.call('PUT', '/api/v2/articles', articleBody(server, changes))
  await create({ slug: 'here' })
  await create({ slug: 'draft', status: 'draft' })
  await hold(server, '/articles/here', 'draft#part', '/articles/later', '/about', '/articles/caf%C3%A9')
  const clock = { nowMs: START_MS }
  const checking = startChecking(server.store, clock)
  await checking.waitForChecked(4)
  clock.nowMs += MINUTE_MS
  await checking.waitForChecked(7)
  expect(await linksOf(server)).toEqual({
    '/articles/here': true,
    'draft#part': false,
    '/articles/later': false,
    '/about': true,
    '/articles/caf%C3%A9': false,
  })
  await create({ slug: 'later' })
  await create({ slug: 'café' })
  clock.nowMs += 4 * MINUTE_MS
  await checking.waitForChecked(10)
  expect(await linksOf(server)).toMatchObject({ '/articles/later': true, '/articles/caf%C3%A9': true })
  expect(checking.checked.find(({ target }) => target.endsWith(':draft'))).toMatchObject({
    kind: 'broken',
    status: null,
    reason: 'no such article',
  })
})

test('a link to a deleted article breaks within a quarter of an hour', async () => {
  const server = await openTestServer()
  const gone = await createArticle(server, { slug: 'gone' })
  await hold(server, '/articles/gone')
  const clock = { nowMs: START_MS }
  const checking = startChecking(server.store, clock)
  await checking.waitForChecked(1)
  expect((await server.call('DELETE', `/api/v2/articles/${gone}`)).status).toBe(200)
  clock.nowMs += 10 * MINUTE_MS
  await checking.waitForChecked(2)
  clock.nowMs += MINUTE_MS
  await checking.waitForChecked(3)
  expect(await linksOf(server)).toEqual({ '/articles/gone': false })
})

/** A database of the first program: one article, `here`, and links in it. */
function createOldDatabase(urls: readonly string[]): string {
  const file = join(temporaryFolder(), 'old.db')
  const connection = new Libsql(file)
  connection.exec(`${MIGRATIONS[0]}; pragma user_version = 1;
    insert into sites values ('s', 'default', null, 1, '${NOW}');
    insert into languages values ('s', 'en', 0);
    insert into articles values ('a', 's', 'Here', 'here', '', 0, 'published', 0, '', null, '', null, null, null,
      '${NOW}', '${NOW}', '')`)
  const insert = connection.prepare(`insert into links values (?, 's', 'a', ?, '${NOW}', 1, null, 0)`)
  for (const [index, url] of urls.entries()) insert.run(`l${index}`, url)
  connection.close()
  return file
}

test('links of an older program, or from before a change of the article path, are checked', async () => {
  const web = await serveWeb({ '127.0.0.1/*': 200 })
  const page = web.url('127.0.0.1/page')
  const upper = `${page.replace('http:', 'HTTP:')}#part`
  const db = createOldDatabase([page, upper, '/help/here', '/help/none', 'here', '/articles/none'])
  const clock = { nowMs: START_MS }

  /** Returns what is checked in two rounds, a minute apart, with articles at this path. */
  async function checkedWith(articlePath: string, ...rounds: readonly number[]): Promise<string[]> {
    const server = await openTestServer({ db, seed: {}, articlePath })
    const checking = startChecking(server.store, clock)
    for (const count of rounds) {
      await checking.waitForChecked(count)
      clock.nowMs += MINUTE_MS
    }
    await checking.close()
    links = await linksOf(server)
    await server.close()
    return checking.checked.map(({ target }) => target).toSorted()
  }

  let links: Record<string, boolean> = {}
  expect(await checkedWith('/help/{slug}', 3, 4)).toEqual([
    'article:s:here',
    'article:s:none',
    'article:s:none',
    page,
  ])
  const working = { [page]: true, [upper]: true, '/help/here': true, here: true }
  expect(links).toEqual({ ...working, '/help/none': false, '/articles/none': true })
  clock.nowMs += 10 * MINUTE_MS
  expect(await checkedWith('/articles/{slug}', 2)).toEqual(['article:s:here', 'article:s:none'])
  expect(links).toEqual({ ...working, '/help/none': true, '/articles/none': false })
  expect(web.seen).toHaveLength(1)
})

test('new links are checked, including those of another process', async () => {
  const web = await serveWeb({ 'a.test/*': 200 })
  const server = await openTestServer()
  const other = await openTestServer({ db: server.db })
  const checking = startChecking(server.store, { nowMs: START_MS })
  await hold(server, web.url('a.test/1'))
  await checking.waitForChecked(1)
  await hold(other, web.url('a.test/2'))
  await checking.waitForChecked(2)
  expect(web.seen.map(({ page }) => page)).toEqual(['a.test/1', 'a.test/2'])
})

test('nothing is written while nothing is due', async () => {
  const web = await serveWeb({ 'a.test/*': 200 })
  const server = await openTestServer()
  await hold(server, web.url('a.test/1'))
  const clock = { nowMs: START_MS }
  const first = startChecking(server.store, clock)
  await first.waitForChecked(1)
  await first.close()
  const [mark, revision] = [server.store.changeMark(), await server.store.revision()]
  let looks = 0
  let looked = () => {}
  const twice = new Promise<void>((resolve) => (looked = resolve))
  const store: Store = {
    ...server.store,
    nextLinkCheckDate: (now) => {
      if (++looks === 3) looked()
      return server.store.nextLinkCheckDate(now)
    },
  }
  const second = startChecking(store, clock)
  await twice
  await second.close()
  expect([server.store.changeMark(), await server.store.revision()]).toEqual([mark, revision])
  expect([first.checked.length, second.checked, web.seen.length]).toEqual([1, [], 1])
})

test('a temporary failure of the database is reported, and nothing is lost', async () => {
  const web = await serveWeb({ 'a.test/*': 200 })
  const server = await openTestServer()
  await hold(server, web.url('a.test/1'))
  const failing = ['dueLinks', 'recordLinkChecks']
  const fail = (name: string) => {
    if (!failing.includes(name)) return
    failing.splice(failing.indexOf(name), 1)
    throw new Error(`${name} failed`)
  }
  const store: Store = {
    ...server.store,
    dueLinks: async (...args) => {
      fail('dueLinks')
      return server.store.dueLinks(...args)
    },
    recordLinkChecks: async (...args) => {
      fail('recordLinkChecks')
      return server.store.recordLinkChecks(...args)
    },
  }
  const clock = { nowMs: START_MS }
  const errors: string[] = []
  let told = () => {}
  const twice = new Promise<void>((resolve) => (told = resolve))
  const onError = (error: unknown) => {
    if (errors.push(String(error)) === 2) told()
  }
  const checking = startChecking(store, clock, {}, onError)
  await twice
  expect(errors).toEqual(['Error: dueLinks failed', 'Error: recordLinkChecks failed'])
  // The claim on the result that could not be stored expires.
  clock.nowMs += 15 * MINUTE_MS
  await checking.waitForChecked(1)
  expect(checking.checked.map(({ kind }) => kind)).toEqual(['works'])
})

test('private addresses are not checked unless allowed', async () => {
  const web = await serveWeb({ 'a.test/*': 404, '127.0.0.1/*': 404 })
  const server = await openTestServer()
  await hold(server, web.url('a.test/1'), web.url('127.0.0.1/1'))
  const clock = { nowMs: START_MS }
  const checking = startChecking(server.store, clock, { allowPrivateAddresses: undefined })
  await checking.waitForChecked(2)
  expect(checking.checked.map((checked) => ({ ...checked, target: '' }))).toEqual(
    Array.from({ length: 2 }, () => ({
      siteId: server.store.defaultSiteId,
      target: '',
      kind: 'closed',
      working: true,
      status: null,
      reason: 'private address',
    })),
  )
  expect(web.seen).toEqual([])
})

test('it identifies itself, and a redirect waits for its turn at the target host', async () => {
  const web = await serveWeb({ 'b.test/*': 200, 'a.test/1': redirect('/2'), 'a.test/2': 200 })
  const server = await openTestServer()
  await hold(server, web.url('a.test/1'))
  const checking = startChecking(server.store, { nowMs: START_MS })
  await checking.waitForChecked(1)
  expect(web.seen.map(({ headers }) => headers['user-agent'])).toEqual(
    Array.from({ length: 2 }, () => 'kb-sync/1.2.3 (link checker)'),
  )
  expect(Buffer.from(JSON.stringify(web.seen)).includes('key-for-tests')).toBe(false)
})

test('a knowledge base checks links only on request, and stops with it', async () => {
  const web = await serveWeb({ '127.0.0.1/*': silence })
  let tell = (_target: string) => {}
  const article = new Promise<string>((resolve) => (tell = resolve))
  const checks = {
    intervalMs: DAY_MS,
    allowPrivateAddresses: true,
    pollMs: 5,
    onChecked: ({ target }: CheckedLink) => tell(target),
  }
  const silent = await openTestServer()
  await hold(silent, web.url('127.0.0.1/never'))
  const server = await openTestServer({ linkChecks: checks, version: '4.5.6', articlePath: '/help/{slug}' })
  await hold(server, web.url('127.0.0.1/1'), '/help/here')
  await web.waitForSeen(1)
  expect(await article).toBe(`article:${server.store.defaultSiteId}:here`)
  await server.close()
  expect(web.seen.map(({ page, headers }) => [page, headers['user-agent']])).toEqual([
    ['127.0.0.1/1', 'kb-sync/4.5.6 (link checker)'],
  ])
})
