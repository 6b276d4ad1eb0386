// The pages of several sites in one server: the URL of a request determines its site.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createKb } from '../../../src/kb/create-kb.ts'
import { serve, type ServeEvent } from '../../../src/kb/serve.ts'
import { createMetrics } from '../../../src/server/observe/create-metrics.ts'
import { issueKey, openAdministration } from '../../../src/server/open-administration.ts'
import type { KnowledgeBaseOptions } from '../../../src/server/open-knowledge-base.ts'
import { createSiteFinder } from '../../../src/server/pages/create-server-pages.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { createMemoryLog } from '../../support/memory-log.ts'
import { configFile, createProject } from '../../support/project.ts'
import { API_KEY, articleBody, NOW, SEED, type TestServer } from '../../support/server.ts'
import { fileName, PNG, putFile } from '../../support/stored-files.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'

const HELP = 'https://help.example'
const HANDBOOK = 'https://handbook.example'
const LEGAL = 'https://help.example/legal'
const PASSWORD = 'open sesame'

const pagesAt = (url: string, name: string) => {
  const { origin } = new URL(url)
  const addresses = { ...PAGES.addresses, origins: [origin], url, base: url.slice(origin.length) }
  return { ...PAGES, name, addresses }
}

const OTHER_PAGES = new Map([
  ['handbook', pagesAt(HANDBOOK, 'Handbook')],
  ['legal', { ...pagesAt(LEGAL, 'Legal'), password: PASSWORD }],
])

interface Sites {
  readonly server: TestServer
  readonly keys: Readonly<Record<string, string>>
  readonly ids: Readonly<Record<string, string>>
}

/** The site of the server and two others, each with an article with the same slug. */
async function openSites(options: Partial<KnowledgeBaseOptions> = {}): Promise<Sites> {
  const db = join(temporaryFolder(), 'kb.db')
  const admin = await openAdministration({ db, languages: ['en'], mayCreate: true, now: NOW })
  const keys: Record<string, string> = { help: API_KEY }
  const ids: Record<string, string> = {}
  for (const name of OTHER_PAGES.keys()) {
    const { id } = await admin.sites.add({ name, languages: ['en'], articleLimit: null, now: NOW })
    const names = { username: 'editor', first_name: '', last_name: '', email_address: '' }
    const user = await admin.users.add(id, names)
    const { key, hash } = issueKey(id)
    await admin.keys.add({ hash, siteId: id, userId: user.id, label: '', readOnly: false, now: NOW })
    keys[name] = key
    ids[name] = id
  }
  await admin.close()
  const pages = pagesAt(HELP, 'Help')
  const server = await openPagesServer({ db, pages, otherPages: OTHER_PAGES, ...options })
  for (const [name, key] of Object.entries(keys)) {
    const id = ids[name]
    const guides =
      id === undefined ? server.guides : (await server.store.seed(id, SEED, NOW)).categories['guides']
    const article = { title: `Welcome to ${name}`, slug: 'welcome', content: `<p>About ${name}.</p>` }
    const body = articleBody({ guides: guides ?? '' }, article)
    const { status } = await server.call('PUT', '/api/v2/articles', body, { Authorization: `Bearer ${key}` })
    expect(status).toBe(200)
  }
  return { server, keys, ids }
}

test('each site has its pages, search and sitemap at its own URL', async () => {
  const { server } = await openSites()
  const { get, post } = visitorOf(server)
  const titleAt = async (url: string) => /<h1[^>]*>([^<]*)/.exec((await get(url)).text)?.[1]
  expect(await titleAt(`${HELP}/articles/welcome`)).toBe('Welcome to help')
  expect(await titleAt(`${HANDBOOK}/articles/welcome`)).toBe('Welcome to handbook')
  expect(await titleAt('http://other.example/articles/welcome')).toBe('Welcome to help')
  expect((await get(`${HANDBOOK}/search?q=welcome`)).text).not.toMatch(/help|legal/)
  expect((await get(`${HANDBOOK}/sitemap.xml`)).text).toContain(`<loc>${HANDBOOK}/articles/welcome</loc>`)

  expect((await get(`${LEGAL}/articles/welcome`)).status).toBe(401)
  const entered = await post(`${LEGAL}/_kb/password`, { password: PASSWORD }, { Origin: HELP })
  expect(entered.headers.get('set-cookie')).toMatch(/^kb_reader\.legal=[^;]+;.* Path=\/legal\/;/)
  expect(await titleAt(`${LEGAL}/articles/welcome`)).toBe('Welcome to legal')
})

test('a key gives access only to drafts of its own site', async () => {
  const { server, keys } = await openSites()
  const statusOf = async (url: string, key = '') =>
    (await visitorOf(server).get(url, { Authorization: `Bearer ${key}` })).status
  expect(await statusOf(`${HANDBOOK}/status`, keys['handbook'])).toBe(200)
  expect(await statusOf(`${HANDBOOK}/status`, keys['help'])).toBe(401)
  expect(await statusOf(`${HELP}/status`, keys['handbook'])).toBe(401)
})

test('wrong keys at one site do not delay signing in at another', async () => {
  const { server } = await openSites()
  const signIn = async (url: string, key: string) =>
    (await visitorOf(server).post(`${url}/_kb/sign-in`, { key }, { Origin: new URL(url).origin })).status
  const wrong: number[] = []
  for (let turn = 0; turn < 11; turn++) wrong.push(await signIn(HANDBOOK, `wrong-${turn}`))
  expect(wrong).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  // A short key, which must wait like its client address.
  expect([await signIn(HELP, API_KEY), await signIn(LEGAL, 'wrong')]).toEqual([303, 401])
})

test('files of a site with a password are only for its readers', async () => {
  const { server, keys } = await openSites()
  const name = fileName('png', PNG)
  await putFile(server, name, PNG, { Authorization: `Bearer ${keys['legal']}` })
  const visitor = visitorOf(server)
  const statusAt = async (url: string) => (await visitor.get(`${url}/files/${name}`)).status
  expect([await statusAt(HELP), await statusAt(HANDBOOK), await statusAt(LEGAL)]).toEqual([404, 404, 401])
  await visitor.post(`${LEGAL}/_kb/password`, { password: PASSWORD }, { Origin: HELP })
  expect(await statusAt(LEGAL)).toBe(200)
  // Storing the same file in a public site makes it public.
  await putFile(server, name, PNG)
  expect([await statusAt(HELP), await statusAt(HANDBOOK)]).toEqual([200, 200])
})

test('requests are counted for each site, by the page or by the key', async () => {
  const metrics = createMetrics({ version: '1.0.0', db: undefined })
  const { server, keys, ids } = await openSites({ metrics })
  await visitorOf(server).get(`${HANDBOOK}/articles/welcome`)
  await server.call('GET', '/api/v2/categories', undefined, { Authorization: `Bearer ${keys['legal']}` })
  const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('kb_site_requests'))
  expect(lines.toSorted()).toEqual(
    [
      `kb_site_requests_total{site="${server.store.defaultSiteId}"} 1`,
      `kb_site_requests_total{site="${ids['handbook']}"} 2`,
      `kb_site_requests_total{site="${ids['legal']}"} 2`,
    ].toSorted(),
  )
})

test('a key contains the id of its site', async () => {
  const { keys, ids } = await openSites()
  expect(keys['legal']).toMatch(new RegExp(`^kb_${ids['legal']?.replaceAll('-', '')}_[\\w-]{43}$`))
})

test('a site that does not exist has no pages', async () => {
  await expect(openPagesServer({ otherPages: new Map([['docs', pagesAt(HELP, 'Docs')]]) })).rejects.toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: 'pages.sites.docs: the server has no site "docs".',
    }),
  )
})

test('a server without pages needs no files for those of other sites', async () => {
  const sites = { docs: { url: 'https://docs.example', logo: 'missing.png' } }
  const { root: cwd } = createProject({ 'kb.config.ts': configFile({ project: 'demo', pages: { sites } }) })
  const serveWith = async (pages: boolean) => {
    const stopper = new AbortController()
    const onEvent = ({ kind }: ServeEvent) => {
      if (kind === 'listening') stopper.abort()
    }
    const loadSettings = () => createKb({ cwd }).loadSettings()
    await serve(
      { cwd, configFile: undefined, env: {}, loadSettings },
      { port: 0, pages, checkLinks: 'off' },
      { signal: stopper.signal, log: createMemoryLog('error'), onEvent },
    )
  }
  await serveWith(false)
  await expect(serveWith(true)).rejects.toThrow('pages.sites.docs.logo: the file missing.png does not exist.')
})

test.each([
  ['https://a.example/x', 0],
  ['http://a.example/', 0],
  ['http://a.example:443/', 0],
  ['https://a.example/help', 1],
  ['https://a.example/help/articles/x', 1],
  ['https://a.example/helpful', 0],
  ['https://a.example/help/fr/x', 2],
  ['https://a.example:8443/help', -1],
  ['https://b.example/help', -1],
])('%s is below the URL with the index %i', (request, index) => {
  const urls = ['https://a.example', 'https://a.example/help', 'https://a.example/help/fr']
  expect(createSiteFinder(urls)(request)).toBe(index)
})
