// Administration while servers use the same database.
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/http/listen.ts'
import { issueKey, openAdministration } from '../../src/server/open-administration.ts'
import { bundleScript } from '../support/bundle-script.ts'
import { startScript } from '../support/child-script.ts'
import { dumpDatabase } from '../support/dump-database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { articleBody, NOW, openTestServer } from '../support/server.ts'

async function openAdmin(db: string, mayCreate = false) {
  const admin = await openAdministration({ db, languages: ['en'], mayCreate, now: NOW })
  onTestFinished(() => admin.close())
  return admin
}

test('without a database, there is nothing to administer, unless it may be created', async () => {
  const db = join(temporaryFolder(), 'folder', 'kb.db')
  await expect(openAdmin(db)).rejects.toMatchObject({ code: 'DATABASE_MISSING' })
  const admin = await openAdmin(db, true)
  expect(await admin.sites.find('default')).toMatchObject({ languages: ['en'], isDefault: true })
  await admin.close()
  const server = await openTestServer({ db, languages: ['fr'] })
  expect((await server.store.siteSettings(server.store.defaultSiteId)).languages).toEqual(['fr'])
})

test('reading changes nothing', async () => {
  const server = await openTestServer()
  const before = await server.store.revision()
  const admin = await openAdmin(server.db)
  const site = server.store.defaultSiteId
  await admin.sites.list()
  await Promise.all([admin.users.list(site), admin.keys.list(site), admin.languages.list(site)])
  await Promise.all([admin.categories.list(site), admin.tags.list(site)])
  await admin.close()
  expect(await server.store.revision()).toBe(before)
})

test('a revoked key is rejected by the next request on a connection that uses it', async () => {
  const kb = await openTestServer()
  const server = await listen(kb, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const admin = await openAdmin(kb.db)
  const site = kb.store.defaultSiteId
  const user = await admin.users.add(site, {
    username: 'anna',
    first_name: '',
    last_name: '',
    email_address: '',
  })
  const { key, hash, id } = issueKey(site)
  await admin.keys.add({ hash, siteId: site, userId: user.id, label: '', readOnly: false, now: NOW })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ports = new Set<number | undefined>()
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${server.url}/api/v2/tags/${kb.security}`, { agent, headers }, resolve).on('error', reject)
    })
    ports.add(answer.socket.localPort)
    return [answer.statusCode, await json(answer)]
  }
  expect(await ask()).toMatchObject([200, { success: true }])
  expect(await ask()).toMatchObject([200, { success: true }])
  await admin.keys.revoke(site, id, NOW)
  expect(await ask()).toEqual([
    401,
    { success: false, message: 'The API key is unknown, has expired or was revoked' },
  ])
  expect(ports.size).toBe(1)
})

test('the limit of a site holds when several processes reach it at once', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  const admin = await openAdmin(db, true)
  const { id } = await admin.sites.find('default')
  await admin.sites.setLimit(id, 37)
  const script = await bundleScript(join(import.meta.dirname, 'create-until-killed.ts'))
  const acknowledged = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const titles: string[] = []
      for await (const title of startScript(script, db, name, '60').lines) titles.push(title)
      return titles
    }),
  )
  expect(acknowledged.flat()).toHaveLength(37)
  expect(dumpDatabase(db)['articles']).toHaveLength(37)
  expect(await admin.sites.find('default')).toMatchObject({ articles: 37, articleLimit: 37 })
})

test('a changed limit applies from the next article on', async () => {
  const server = await openTestServer({ articleLimit: 1 })
  const admin = await openAdmin(server.db)
  const site = server.store.defaultSiteId
  const create = (slug: string) => server.call('PUT', '/api/v2/articles', articleBody(server, { slug }))
  const limit = async () => ((await server.call('GET', '/api/v2/categories')).body as { limit: number }).limit
  expect([(await create('a')).status, (await create('b')).status, await limit()]).toEqual([200, 403, 1])
  await admin.sites.setLimit(site, 2)
  expect([(await create('b')).status, (await create('c')).status, await limit()]).toEqual([200, 403, 2])
  await admin.sites.setLimit(site, null)
  expect([(await create('c')).status, await limit()]).toEqual([403, 1])
})

test('an added language, category or tag can be used at once', async () => {
  const server = await openTestServer()
  const admin = await openAdmin(server.db)
  const site = server.store.defaultSiteId
  await admin.languages.add(site, 'fr')
  const text = { description: '', now: NOW }
  const category = { ...text, name: 'News', slug: 'news', parentId: null, priority: 1 }
  const [news, tag] = [
    await admin.categories.add(site, category),
    await admin.tags.add(site, { ...text, name: 'New', slug: 'new' }),
  ]
  const body = articleBody(server, { categories: [{ value: news }], tags: [{ value: tag }], lang: 'fr' })
  expect(await server.call('PUT', '/api/v2/articles', body)).toMatchObject({ status: 200 })
  expect((await server.call('GET', '/api/v2/categories')).body).toMatchObject({ languages: ['en', 'fr'] })
  await admin.categories.remove(site, news)
  expect(await server.call('PUT', '/api/v2/articles', { ...body, slug: 'two' })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('categories[0]') },
  })
})
