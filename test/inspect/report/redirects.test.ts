// Old URLs that readers still follow, from a server that counts them.
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../src/server/http/listen.ts'
import { article } from '../../support/project.ts'
import { API_KEY, openTestServer } from '../../support/server.ts'
import { createSyncProject } from '../../support/sync-project.ts'
import { createReportProject } from './report-project.ts'

test('redirects are listed with their use, the most used first, and a declared one with its line', async () => {
  const server = await openTestServer({ languages: ['en'] })
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const files = {
    'content/one.md': article('One', { status: 'published', aliases: ['uno', 'unused'] }),
    'content/two.md': article('Two', { status: 'published' }),
  }
  const synced = createSyncProject(listening.url, files)
  await synced.sync({ client: { apiKey: API_KEY } })
  const renamed = { 'content/two.md': article('Two', { status: 'published', slug: 'second' }) }
  synced.write(renamed)
  await synced.sync({ client: { apiKey: API_KEY } })
  const { store } = server
  const hits = (slug: string, count: number, kind: 'article' | 'category' | 'tag' = 'article') =>
    store.addRedirectHits(
      store.defaultSiteId,
      [{ kind, slug, language: '', hits: count }],
      '2027-03-14T10:00:00.000Z',
    )
  await hits('uno', 2)
  await hits('two', 30)
  const guides = { name: 'Manuals', slug: 'manuals', lang: 'en', priority: 1 }
  await server.call('POST', `/api/v2/categories/${server.guides}`, guides)
  await hits('guides', 7, 'category')
  const project = createReportProject(listening.url, { ...files, ...renamed })
  const { redirects } = await project.report()
  expect(
    redirects?.entries.map(({ leadsTo: { title, file }, ...each }) => ({ ...each, title, file })),
  ).toEqual([
    {
      kind: 'article',
      title: 'Two',
      file: 'content/two.md',
      url: '/articles/two',
      isDeclared: false,
      hits: 30,
      lastUsed: '2027-03-14',
      place: undefined,
    },
    {
      kind: 'category',
      title: 'Manuals',
      file: undefined,
      url: '/categories/guides',
      isDeclared: false,
      hits: 7,
      lastUsed: '2027-03-14',
      place: undefined,
    },
    {
      kind: 'article',
      title: 'One',
      file: 'content/one.md',
      url: '/articles/uno',
      isDeclared: true,
      hits: 2,
      lastUsed: '2027-03-14',
      place: { file: 'content/one.md', line: 5, column: 11, end: { line: 5, column: 16 } },
    },
  ])
})
