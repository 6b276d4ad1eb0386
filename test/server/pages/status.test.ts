import { expect, test } from 'vitest'
import { createSiteCatalog } from '../../../src/server/pages/site-catalog.ts'
import { createStoreStatus } from '../../../src/server/pages/create-store-status.ts'
import { createArticle, NOW, type TestServer } from '../../support/server.ts'
import { openPagesServer, PAGES } from './open-pages.ts'

function statusOf({ store }: TestServer, checksLinks = true) {
  const siteId = store.defaultSiteId
  const catalog = createSiteCatalog(store, siteId)
  return createStoreStatus({
    store,
    siteId,
    catalog,
    addresses: PAGES.addresses,
    dueWithinDays: 45,
    clock: () => new Date(NOW),
    checksLinks,
  })
}

test('an empty site has nothing to tell', async () => {
  const server = await openPagesServer()
  const status = statusOf(server, false)
  expect({
    counts: await status.countArticles(),
    change: await status.lastChange(),
    articles: await collect(status.articles()),
    broken: await collect(status.brokenLinks()),
    checks: await status.linkChecks(),
    sync: status.sync(),
  }).toEqual({
    counts: { published: 0, drafts: 0 },
    change: undefined,
    articles: [],
    broken: [],
    checks: { kind: 'off' },
    sync: undefined,
  })
})

test('counts, reviews and links are those of all articles, with the addresses of their pages', async () => {
  const server = await openPagesServer({ languages: ['en', 'fr'] })
  const { store } = server
  const links = '<p><a href="https://a.example/x">x</a><a href="https://b.example/">y</a></p>'
  await createArticle(server, { title: 'One', slug: 'one', articleReviewDate: '2027-03-01', content: links })
  await createArticle(server, {
    title: 'Un',
    slug: 'un',
    lang: 'fr',
    categories: [{ value: await translateAccounts(server) }],
    articleReviewDate: '2026-12-31',
    status: 'draft',
  })
  const target = 'https://a.example/x'
  await store.listLinkTargets({ after: '', limit: 100 }, NOW, ({ url }) => url)
  const until = '2026-03-01T11:00:00.000Z'
  await store.claimLinks(store.defaultSiteId, [target], NOW, until)
  await store.recordLinkChecks(store.defaultSiteId, [
    {
      target,
      claimedUntil: until,
      working: false,
      failures: 2,
      status: 404,
      reason: '',
      checkedDate: NOW,
      nextCheckDate: until,
    },
  ])
  const status = statusOf(server)
  expect({
    counts: await status.countArticles(),
    change: await status.lastChange(),
    articles: await collect(status.articles()),
    broken: await collect(status.brokenLinks()),
    checks: await status.linkChecks(),
  }).toEqual({
    counts: { published: 1, drafts: 1 },
    change: NOW,
    articles: [
      {
        title: 'One',
        date: '2027-03-01',
        lastChange: '2026-03-01',
        isDraft: false,
        language: 'en',
        url: '/articles/one',
        file: undefined,
        categories: ['Guides'],
      },
      {
        title: 'Un',
        date: '2026-12-31',
        lastChange: '2026-03-01',
        isDraft: true,
        language: 'fr',
        url: '/articles/un?lang=fr',
        file: undefined,
        categories: ['Guides/Accounts'],
      },
    ],
    broken: [
      {
        url: target,
        reason: 'HTTP 404',
        article: { title: 'One', url: '/articles/one', file: undefined },
        categories: ['Guides'],
      },
    ],
    checks: { kind: 'on', links: 2, unchecked: 1 },
  })
})

/** @returns id of the French translation of the category Guides/Accounts */
async function translateAccounts(server: TestServer): Promise<string> {
  const { store, accounts } = server
  await server.call('POST', `/api/v2/categories/${accounts}`, {
    name: 'Comptes',
    slug: 'comptes',
    priority: 2,
    lang: 'fr',
  })
  const categories = await store.listReaderCategories(store.defaultSiteId)
  return categories.find(({ languageParent }) => languageParent === accounts)?.id ?? ''
}

test('long lists come whole, and are counted whole', async () => {
  const server = await openPagesServer()
  const { store } = server
  for (let at = 0; at < 2005; at++) {
    await store.createArticle(store.defaultSiteId, {
      title: `T ${at}`,
      slug: `t-${at}`,
      categoryIds: [server.guides],
      tagIds: undefined,
      excerpt: '',
      order: 0,
      status: 'published',
      content: '<p>x</p>',
      hideFromSearch: undefined,
      seoBannerUrl: undefined,
      reviewDate: at % 3 === 0 ? undefined : '2027-01-31',
      language: undefined,
      languageParent: undefined,
      links: [{ url: 'https://a.example/', target: 'https://a.example/' }],
      writtenBy: null,
      now: NOW,
    })
  }
  const target = 'https://a.example/'
  await store.listLinkTargets({ after: '', limit: 1 }, NOW, ({ url }) => url)
  await store.claimLinks(store.defaultSiteId, [target], NOW, '2026-03-02')
  const result = {
    target,
    claimedUntil: '2026-03-02',
    working: false,
    failures: 2,
    status: null,
    reason: 'gone',
  }
  await store.recordLinkChecks(store.defaultSiteId, [
    { ...result, checkedDate: NOW, nextCheckDate: '2026-03-03' },
  ])
  const status = statusOf(server)
  const articles = await collect(status.articles())
  const broken = await collect(status.brokenLinks())
  expect(new Set(articles.map(({ url }) => url)).size).toBe(2005)
  expect(articles.filter(({ date }) => date === '')).toHaveLength(669)
  expect([...articles, ...broken].every(({ categories }) => String(categories) === 'Guides')).toBe(true)
  expect(new Set(broken.map(({ article }) => article.url)).size).toBe(2005)
  expect(broken[0]?.reason).toBe('gone')
  const counts = await store.countReaderArticles({ siteId: store.defaultSiteId, sight: 'published' }, '')
  expect(counts).toEqual(new Map([[server.guides, 2005]]))
})

async function collect<T>(entries: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const entry of entries) all.push(entry)
  return all
}
