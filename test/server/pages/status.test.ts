import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
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

const SCOPE = { today: '2026-03-01', dueWithinDays: 45, listed: 10 }

test('an empty site has an empty status', async () => {
  const server = await openPagesServer()
  const status = statusOf(server, false)
  expect({
    counts: await status.countArticles(),
    change: await status.lastChange(),
    articles: await status.articles(SCOPE),
    broken: await collect(status.brokenLinks()),
    checks: await status.linkChecks(),
    sync: status.sync(),
  }).toEqual({
    counts: { published: 0, drafts: 0 },
    change: undefined,
    articles: { kind: 'counts', reviewDates: [], lastChanges: [], categories: [], first: [] },
    broken: [],
    checks: { kind: 'off' },
    sync: undefined,
  })
})

test('counts, reviews and links include all articles, with the URLs of their pages', async () => {
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
  await store.scheduleTargets(NOW, 100)
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
    articles: await status.articles(SCOPE),
    broken: await collect(status.brokenLinks()),
    checks: await status.linkChecks(),
  }).toEqual({
    counts: { published: 1, drafts: 1 },
    change: NOW,
    articles: {
      kind: 'counts',
      reviewDates: [
        { date: '2026-12-31', count: 1 },
        { date: '2027-03-01', count: 1 },
      ],
      lastChanges: [{ date: '2026-03-01', count: 2 }],
      categories: [
        { category: 'Guides/Accounts', articles: 1, overdue: 0, due: 0 },
        { category: 'Guides', articles: 1, overdue: 0, due: 0 },
      ],
      first: [
        {
          title: 'Un',
          date: '2026-12-31',
          isDraft: true,
          language: 'fr',
          url: '/articles/un?lang=fr',
          file: undefined,
        },
        {
          title: 'One',
          date: '2027-03-01',
          isDraft: false,
          language: 'en',
          url: '/articles/one',
          file: undefined,
        },
      ],
    },
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

test('long lists are complete, and counted completely', async () => {
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
      content: '<a href="https://a.example/">x</a>',
      hideFromSearch: undefined,
      seoBannerUrl: undefined,
      reviewDate: at % 3 === 0 ? undefined : '2027-01-31',
      language: undefined,
      languageParent: undefined,
      writtenBy: null,
      now: NOW,
    })
  }
  const target = 'https://a.example/'
  await store.scheduleTargets(NOW, 1)
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
  const broken = await collect(status.brokenLinks())
  expect(await status.articles(SCOPE)).toMatchObject({
    reviewDates: [
      { date: '', count: 669 },
      { date: '2027-01-31', count: 1336 },
    ],
    categories: [{ category: 'Guides', articles: 2005, overdue: 0, due: 0 }],
    first: { length: 20 },
  })
  expect(broken.every(({ categories }) => String(categories) === 'Guides')).toBe(true)
  expect(new Set(broken.map(({ article }) => article.url)).size).toBe(2005)
  expect(broken[0]?.reason).toBe('gone')
  const counts = await store.countReaderArticles({ siteId: store.defaultSiteId, visibility: 'published' }, '')
  expect(counts).toEqual(new Map([[server.guides, 2005]]))
})

test('categories are counted in slices, and an article in a category and its translation once', async () => {
  const server = await openPagesServer({ languages: ['en', 'fr'] })
  const { db, store, guides, accounts } = server
  const comptes = await translateAccounts(server)
  // 12,000 articles: overdue, due and due later in turn; every fourth is in the translation as well.
  const beside = new Libsql(db)
  onTestFinished(() => void beside.close())
  const numbers = 'with recursive n (i) as (select 0 union all select i + 1 from n where i < 11999)'
  const review = `case i % 3 when 0 then '2026-02-28T12:00:00.000Z' when 1 then '2026-04-15T23:59:59.999Z'
    else '2026-04-16T00:00:00.000Z' end`
  const site = store.defaultSiteId
  beside.exec(`begin;
    ${numbers} insert into articles (id, site_id, name, slug, excerpt, order_by, status, hide_from_search, seo_banner_url,
      review_date, language, language_parent, article_parent, created_by, created_date, last_edited_date, content)
      select 'a' || i, '${site}', 'A ' || i, 's-' || i, '', 0, 'published', 0, '', ${review}, '',
      null, null, null, '${NOW}', '${NOW}', '' from n;
    ${numbers} insert into article_categories select 'g' || i, '${site}', 'a' || i, '${guides}', '${NOW}' from n where i % 2 = 0;
    ${numbers} insert into article_categories select 'c' || i, '${site}', 'a' || i, '${accounts}', '${NOW}' from n;
    ${numbers} insert into article_categories select 't' || i, '${site}', 'a' || i, '${comptes}', '${NOW}' from n where i % 4 = 0;
    commit`)
  const counts = await statusOf(server).articles(SCOPE)
  if (!('kind' in counts)) throw new Error('these are no counts')
  const { categories, reviewDates, first } = counts
  expect(categories).toEqual([
    { category: 'Guides/Accounts', articles: 12_000, overdue: 4000, due: 4000 },
    { category: 'Guides', articles: 6000, overdue: 2000, due: 2000 },
  ])
  expect(reviewDates.map(({ count }) => count)).toEqual([4000, 4000, 4000])
  expect(first.map(({ date }) => date)).toEqual(
    ['2026-02-28', '2026-04-15', '2026-04-16'].flatMap((date) => Array.from({ length: 10 }, () => date)),
  )
})

async function collect<T>(entries: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const entry of entries) all.push(entry)
  return all
}
