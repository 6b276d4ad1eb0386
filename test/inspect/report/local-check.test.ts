// Links with different results on the target and on this machine.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Report } from '../../../src/web/report/report.ts'
import { article } from '../../support/project.ts'
import { type ListingService, startListingService } from './listing-service.ts'
import { createReportProject, recordOf } from './report-project.ts'

let service: ListingService

beforeAll(async () => {
  service = await startListingService()
})
afterAll(() => service.close())

/** A site that has only the paths below /there. */
async function startSite(): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(url.startsWith('/there') ? 200 : 404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const linkTo = (url: string, working: unknown) => ({
  article_id: 'a',
  url,
  working,
  articles: { name: 'Alpha' },
})

const disagreementsOf = ({ links }: Report) =>
  links.disagreements.entries.map(({ url, targetSays, localSays, reason, places }) => [
    url,
    `${targetSays} there, ${localSays} here`,
    reason,
    ...places.map(({ line }) => line),
  ])

test('other sites: results of a current or recent check', async () => {
  const site = await startSite()
  const urls = ['/there?a=1&b=2', '/gone', '/there/2', '/gone/2', '/there/3'].map((path) => `${site}${path}`)
  const [there = '', gone = '', there2 = '', gone2 = '', there3 = ''] = urls
  const project = createReportProject(service.url, {
    'content/alpha.md': article('Alpha', { body: urls.map((url) => `<${url}>`).join('\n\n') }),
  })
  await project.know({ 'alpha.md': 'a' })
  Object.assign(service.listed, {
    links: [
      linkTo(there.replace('&', '&amp;'), false),
      linkTo(gone, true),
      linkTo(there2, true),
      linkTo(gone2, false),
      linkTo(there3, null),
      linkTo(`${site}/never-asked`, false),
    ],
  })
  const expected = [
    [gone, 'works there, broken here', '404 Not Found', 8],
    [there, 'broken there, works here', '200 OK', 6],
  ]
  const before = await project.report()
  expect(disagreementsOf(before)).toEqual([])
  const external = { allowPrivateAddresses: true, limits: { hostPauseMs: 0 }, sleep: () => Promise.resolve() }
  const asked = await project.report({ external })
  expect(disagreementsOf(asked)).toEqual(expected)
  // It is stored, whether private addresses are allowed or not.
  expect(disagreementsOf(await project.report())).toEqual(expected)
  // Only the target decides what counts as broken.
  expect(asked.counts).toMatchObject({ links: 6, broken: 3, disagreements: 2, brokenHere: 1 })
})

test('if nothing can be stored, current results for other sites are compared anyway', async () => {
  const site = await startSite()
  const project = createReportProject(service.url, {
    'content/alpha.md': article('Alpha', { body: `<${site}/gone>` }),
  })
  mkdirSync(project.path('.kb'))
  symlinkSync(project.path('no/where'), project.path('.kb/.gitignore'))
  Object.assign(service.listed, {
    reviewDates: [{ id: 'a', name: 'Alpha' }],
    links: [linkTo(`${site}/gone`, true)],
    articles: { a: { name: 'Alpha', slug: 'alpha' } },
  })
  const external = { allowPrivateAddresses: true, limits: { hostPauseMs: 0 }, sleep: () => Promise.resolve() }
  const found = [[`${site}/gone`, 'works there, broken here', '404 Not Found', 6]]
  expect(disagreementsOf(await project.report({ external }))).toEqual(found)
  expect(disagreementsOf(await project.report())).toEqual([])
  expect(existsSync(project.path('.kb/cache'))).toBe(false)
})

test('links within the knowledge base: results based on the files', async () => {
  const project = createReportProject(
    service.url,
    {
      'content/alpha.md': article('Alpha', { body: '[b](beta.md#text), [d](draft.md)' }),
      'content/beta.md': article('Beta', { status: 'published', body: '## Text' }),
      'content/new.md': article('New', { status: 'published' }),
      'content/draft.md': article('Draft'),
    },
    { links: { article: '/kb/{slug}' } },
  )
  await project.know(
    {},
    {
      articles: [
        ...['alpha', 'beta', 'draft'].map((name) => recordOf(`${name}.md`, name[0] ?? '')),
        recordOf('gone.md', 'g'),
      ],
    },
  )
  const spelled = [
    '&#x2F;kb&#x2F;beta',
    '/kb/be&#116;a&#35;x',
    `${service.url}/kb/beta?y`,
    '/kb%2Fbeta',
    'kb/beta',
  ]
  const plain = ['/kb/beta#text', '/kb/beta?x', '/kb/new', '/kb/draft', '/kb/nowhere', '/kb/gone']
  const broken = [...plain, ...spelled]
  const working = ['/kb/beta', '/kb/gone#x', '/kb/foreign', '/kb/new']
  Object.assign(service.listed, {
    reviewDates: ['a', 'b', 'd', 'g', 'x'].map((id) => ({ id, name: id })),
    links: [...broken.map((url) => linkTo(url, false)), ...working.map((url) => linkTo(url, true))],
    articles: {},
  })
  const report = await project.report()
  const beta = ['broken there, works here', 'a published article of these files']
  expect(disagreementsOf(report)).toEqual([
    ['/kb/beta', ...beta, 6],
    ['/kb/beta#text', ...beta, 6],
    ['/kb/beta#x', ...beta],
    ['/kb/beta?x', ...beta],
    ['/kb/gone#x', 'works there, broken here', 'the article is on the target, but its file is gone'],
    ['/kb/new', 'broken there, works here', 'an article of these files that is not on the target yet'],
    [`${service.url}/kb/beta?y`, ...beta],
  ])
  expect(report.counts).toMatchObject({ links: 15, broken: 11, disagreements: 7 })
})

test('if every article of the target has a file, any other URL is broken', async () => {
  const project = createReportProject(service.url, { 'content/alpha.md': article('Alpha') })
  await project.know({ 'alpha.md': 'a' })
  const urls = ['/articles/nowhere', '/articles/alpha', '/elsewhere/nowhere', '/articles/']
  const links = urls.map((url) => linkTo(url, true))
  const own = { id: 'a', name: 'Alpha' }
  Object.assign(service.listed, { reviewDates: [own], links })
  expect(disagreementsOf(await project.report())).toEqual([
    ['/articles/nowhere', 'works there, broken here', 'no article of these files has this URL'],
  ])
  // A foreign article may have it.
  Object.assign(service.listed, { reviewDates: [own, { id: 'x', name: 'Nowhere' }] })
  expect(disagreementsOf(await project.report())).toEqual([])
})

test('with a public URL, articles have this one and that of their links', async () => {
  const project = createReportProject(
    service.url,
    { 'content/alpha.md': article('Alpha', { status: 'published' }) },
    { pages: { url: 'https://help.example.com/help' } },
  )
  await project.know({ 'alpha.md': 'a' })
  const urls = ['/articles/alpha', 'https://help.example.com/help/articles/alpha', '/articles/nowhere']
  Object.assign(service.listed, {
    reviewDates: [{ id: 'a', name: 'Alpha' }],
    links: urls.map((url) => linkTo(url, true)),
  })
  expect(disagreementsOf(await project.report())).toEqual([
    ['/articles/nowhere', 'works there, broken here', 'no article of these files has this URL'],
  ])
})
