// The files of articles, for edit links. They are sent separately, so that a moved file does not change its article.
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/http/listen.ts'
import { loadBrand } from '../../src/web/pages/brand/load-brand.ts'
import { openPagesServer, PAGES, visitorOf } from '../server/pages/open-pages.ts'
import { issueKey } from '../../src/server/open-administration.ts'
import { addKey } from '../support/with-admin.ts'
import { article } from '../support/project.ts'
import { SERVICE_KEY, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const FILES = {
  'content/guides/one way.md': article('One', { slug: 'one', status: 'published' }),
  'content/two.md': article('Two', { status: 'published' }),
  'content/three.md': article('Three', { status: 'draft' }),
}

const CONFIG = { pages: { editUrl: 'https://git.example/edit/main/content/{path}?from={path}' } }

async function start() {
  const brand = loadBrand({ root: '/', brand: CONFIG.pages })
  const server = await openPagesServer({ apiKey: SERVICE_KEY, pages: { ...PAGES, brand } })
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const project = createSyncProject(listening.url, FILES, CONFIG)
  const editUrl = async (slug: string) =>
    /kb-edit"><a href="([^"]*)"/.exec((await visitorOf(server).get(`/articles/${slug}`)).text)?.[1]
  return { server, project, editUrl }
}

test('pages link to the file of their article, even after a move, which sends only its path', async () => {
  const { project, editUrl } = await start()
  await project.sync()
  expect(await editUrl('one')).toBe(
    'https://git.example/edit/main/content/guides/one%20way.md?from=guides/one%20way.md',
  )
  const { requests } = await project.sync()
  expect(requests['POST']).toBe(undefined)
  project.move('content/guides/one way.md', 'content/new.md')
  const moved = await project.sync()
  expect({ ...outcomeOf(moved), POST: moved.requests['POST'] }).toEqual({ unchanged: 3, POST: 1 })
  expect(await editUrl('one')).toBe('https://git.example/edit/main/content/new.md?from=new.md')
  expect((await project.sync()).requests['POST']).toBe(undefined)
})

test('a run without state sends all paths again, and the draft of an article has no link', async () => {
  const { server, project, editUrl } = await start()
  await project.sync()
  const siteId = server.store.defaultSiteId
  const scope = { siteId, visibility: 'all' } as const
  const draft = await server.store.findReaderArticle(scope, '', 'three')
  expect(await server.store.findSource(siteId, draft?.id ?? '')).toBe('three.md')
  const key = { Authorization: `Bearer ${SERVICE_KEY}` }
  expect((await visitorOf(server).get('/articles/three', key)).text).not.toContain('kb-edit')
  project.forgetState()
  expect((await project.sync()).requests['POST']).toBe(1)
  expect(await editUrl('two')).toBe('https://git.example/edit/main/content/two.md?from=two.md')
})

test('a failed request fails the run, and the next run sends it', async () => {
  const { server, project, editUrl } = await start()
  await project.sync()
  project.move('content/two.md', 'content/guides/two.md')
  const { key, hash } = issueKey(server.store.defaultSiteId)
  await addKey(server.db, { hash, siteId: server.store.defaultSiteId, readOnly: true })
  const client = { apiKey: key }
  expect(outcomeOf(await project.sync({ client }))).toEqual({ unchanged: 3, failure: 'TARGET_REFUSED' })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  expect(await editUrl('two')).toContain('/guides/two.md')
})

test('a target without the extension gets no paths, and is asked once a day', async () => {
  const service = await startStrictService({})
  const project = createSyncProject(service.url, FILES, CONFIG)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 3 })
  const { requests } = await project.sync()
  expect(requests['OPTIONS']).toBe(undefined)
})
