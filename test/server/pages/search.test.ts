import { join } from 'node:path'
import * as fc from 'fast-check'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { readdirSync, readFileSync } from 'node:fs'
import { openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'
import { openStore } from '../../../src/server/store/open-store.ts'
import { DEFAULT_SITE } from '../../../src/server/store/ensure-default-site.ts'
import { backupSqlite } from '../../../src/server/store/sqlite/backup-sqlite.ts'
import { restoreSqlite } from '../../../src/server/store/sqlite/restore-sqlite.ts'
import { createSiteCatalog } from '../../../src/server/pages/site-catalog.ts'
import { createStoreSearch } from '../../../src/server/pages/store-search.ts'
import { searchByWords } from '../../../src/web/pages/search/search-by-words.ts'
import { temporaryFolder } from '../../support/folder.ts'
import {
  API_KEY,
  articleBody,
  createArticle,
  NOW,
  openTestServer,
  type TestServer,
} from '../../support/server.ts'
import { answersInMemory, answersOfServer } from './judged-search.ts'
import { CREATES, foundWhileBusy } from './busy-search.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'

const GUIDE = new URL('../../../content/', import.meta.url)

async function slugsFound(server: Pick<TestServer, 'app'>, text: string): Promise<string[]> {
  const { text: page } = await visitorOf(server).get(`/search?q=${encodeURIComponent(text)}`)
  const main = page.slice(page.indexOf('<main'))
  return [...main.matchAll(/href="\/articles\/([^"]+)"/g)].map(([, slug]) => slug ?? '')
}

test('real documents are found by their words, best first, with the surrounding words', async () => {
  const server = await openPagesServer()
  const files = readdirSync(GUIDE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  for (const file of files) {
    const text = readFileSync(new URL(file.replaceAll('\\', '/'), GUIDE), 'utf8')
    const title = /^title: (.*)$/m.exec(text)?.[1] ?? file
    const slug = file.replaceAll(/[\\/.]/g, '-')
    await server.call(
      'PUT',
      '/api/v2/articles',
      articleBody(server, { title, slug, excerpt: '', content: `<p>${text}</p>` }),
    )
  }
  expect((await slugsFound(server, 'link checker'))[0]).toBe('service-link-checker-md')
  expect((await slugsFound(server, 'lnik cheker'))[0]).toBe('service-link-checker-md')
  expect((await slugsFound(server, 'kb doctor'))[0]).toBe('command-line-doctor-md')
  const { text } = await visitorOf(server).get('/search?q=politely')
  expect(text.replaceAll(/<[^>]+>/g, '')).toMatch(/\S+ \S+ .*politely/i)
})

test('created, changed, hidden and deleted articles affect the very next search', async () => {
  const server = await openPagesServer()
  expect(await slugsFound(server, 'zebra')).toEqual([])
  const id = await createArticle(server, { slug: 'a', content: '<p>zebra</p>' })
  expect(await slugsFound(server, 'zebra')).toEqual(['a'])
  const update = (changes: object) =>
    server.call(
      'POST',
      `/api/v2/articles/${id}`,
      articleBody(server, { slug: 'a', content: '<p>zebra</p>', ...changes }),
    )
  await update({ content: '<p>giraffe</p>' })
  expect([await slugsFound(server, 'zebra'), await slugsFound(server, 'giraffe')]).toEqual([[], ['a']])
  await update({ status: 'draft' })
  expect(await slugsFound(server, 'zebra')).toEqual([])
  await update({ hideFromSearch: true })
  expect(await slugsFound(server, 'zebra')).toEqual([])
  await update({ hideFromSearch: false })
  expect(await slugsFound(server, 'zebra')).toEqual(['a'])
  await server.call('DELETE', `/api/v2/articles/${id}`)
  expect(await slugsFound(server, 'zebra')).toEqual([])
})

test('writes of another process are visible at once, on pages and in searches', async () => {
  const server = await openPagesServer()
  await slugsFound(server, 'anything')
  await visitorOf(server).get('/')
  const other = await openKnowledgeBase({ db: server.db, apiKey: API_KEY, pages: PAGES })
  const seed = { categories: [{ name: 'News', slug: 'news' }] }
  const { categories } = await other.store.seed(other.store.defaultSiteId, seed, NOW)
  const answer = await other.app.request('/api/v2/articles', {
    method: 'PUT',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(
      articleBody({ guides: categories['news'] ?? '' }, { slug: 'new', content: '<p>zebra</p>' }),
    ),
  })
  expect(answer.status).toBe(200)
  const visitor = visitorOf(server)
  expect((await visitor.get('/')).text).toContain('News')
  expect((await visitor.get('/categories/news')).text).toContain('/articles/new')
  expect((await visitor.get('/articles/new')).text).toContain('zebra')
  expect(await slugsFound(server, 'zebra')).toEqual(['new'])
  await other.close()
})

const ZEBRA = { viewer: 'reader', text: 'zebra', language: 'en', skip: 0, limit: 10 } as const

test('the index is in the database: only written articles are read, by any process', async () => {
  const server = await openPagesServer()
  const ids = []
  for (const slug of ['a', 'b', 'c']) ids.push(await createArticle(server, { slug, content: '<p>zebra</p>' }))
  const { store } = server
  const siteId = store.defaultSiteId
  const read: string[] = []
  const openSearch = () => {
    const watched = {
      ...store,
      listUnindexed: async (...about: Parameters<typeof store.listUnindexed>) => {
        const articles = await store.listUnindexed(...about)
        read.push(...articles.map(({ id }) => id))
        return articles
      },
    }
    const search = createStoreSearch({ store: watched, siteId, catalog: createSiteCatalog(store, siteId) })
    onTestFinished(() => search.close())
    return async () => (await search.search(ZEBRA)).total
  }
  const find = openSearch()
  expect(await find()).toBe(3)
  const findElsewhere = openSearch()
  read.length = 0
  expect([await findElsewhere(), read.splice(0)]).toEqual([3, []])
  const body = articleBody(server, { slug: 'b', content: '<p>zebra two</p>' })
  await server.call('POST', `/api/v2/articles/${ids[1]}`, body)
  expect(await find()).toBe(3)
  expect(new Set(read.splice(0))).toEqual(new Set([ids[1]]))
  expect([await findElsewhere(), read]).toEqual([3, []])
})

test('an edit writes only the postings of words that it adds or removes', async () => {
  const server = await openPagesServer()
  const id = await createArticle(server, { slug: 'a', content: '<p>zebra ant</p>' })
  expect(await slugsFound(server, 'zebra')).toEqual(['a'])
  const connection = new Libsql(server.db)
  onTestFinished(() => void connection.close())
  connection.exec('create table written (stem)')
  for (const event of ['insert', 'update'])
    connection.exec(`create trigger written_${event} after ${event} on word_postings
      begin insert into written values (new.stem); end`)
  await server.call(
    'POST',
    `/api/v2/articles/${id}`,
    articleBody(server, { slug: 'a', content: '<p>zebra bee</p>' }),
  )
  expect(await Promise.all(['zebra', 'ant', 'bee'].map((word) => slugsFound(server, word)))).toEqual([
    ['a'],
    [],
    ['a'],
  ])
  expect(connection.prepare('select distinct stem from written order by stem').all()).toEqual([
    { stem: 'ant' },
    { stem: 'bee' },
  ])
})

test('long articles are stored a few at a time', async () => {
  const server = await openTestServer()
  const { store } = server
  const siteId = store.defaultSiteId
  const content = `<p>${Array.from({ length: 14_000 }, (_, at) => `w${100_000 + at}`).join(' ')}</p>`
  for (let at = 0; at < 8; at++) await createArticle(server, { slug: `a${at}`, content })
  const stored: number[] = []
  const watched: typeof store = {
    ...store,
    storeEntries: async (site, articles) => {
      stored.push(articles.reduce((sum, { entries = '' }) => sum + entries.length, 0))
      return store.storeEntries(site, articles)
    },
  }
  const search = createStoreSearch({
    store: watched,
    siteId,
    catalog: createSiteCatalog(store, siteId),
    patienceMs: 60_000,
  })
  onTestFinished(() => search.close())
  const find = async () => (await search.search({ ...ZEBRA, text: 'w100001' })).total
  expect(await find()).toBe(8)
  expect(stored.filter((length) => length > 700_000)).toEqual([])
})

test('a search does not wait for articles that are written or deleted while it updates the index', async () => {
  const server = await openTestServer()
  const run = async (sql: string) => {
    const connection = new Libsql(server.db)
    connection.exec(sql)
    connection.close()
  }
  expect(await foundWhileBusy(server, run)).toBe(CREATES)
})

test('the database has the same results for the judged questions as an index in memory', async () => {
  expect(await answersOfServer(await openPagesServer())).toEqual(await answersInMemory())
})

test('words stored by an earlier version are found, and those of a deleted article are removed', async () => {
  const server = await openPagesServer()
  const ids = []
  for (const slug of ['a', 'b', 'c']) ids.push(await createArticle(server, { slug, content: '<p>zebra</p>' }))
  expect(new Set(await slugsFound(server, 'zebra'))).toEqual(new Set(['a', 'b', 'c']))
  const connection = new Libsql(server.db)
  onTestFinished(() => void connection.close())
  // It split some words.
  connection.exec(`delete from word_blocks;
    update article_words set is_posted = 0, entries = '\u0635\u0644 ' || entries || ' =3'`)
  await server.call('DELETE', `/api/v2/articles/${ids[1]}`)
  expect(new Set(await slugsFound(server, 'zebra'))).toEqual(new Set(['a', 'c']))
  await server.call('DELETE', `/api/v2/articles/${ids[0]}`)
  expect(await slugsFound(server, 'zebra')).toEqual(['c'])
  const left = (table: string) => connection.prepare(`select * from ${table}`).all().length
  expect([left('removed_words'), left('word_blocks')]).toEqual([0, 1])
  const postings = connection.prepare('select distinct length(postings) as articles from word_postings').all()
  expect(postings).toEqual([{ articles: 1 }])
})

const WORDS = fc.uniqueArray(fc.constantFrom('ant', 'bee', 'cat', 'dog'), { selector: (word) => word })

/** Changes of an article: it is written with words, hidden, or deleted. */
const STEPS = fc.array(
  fc.record({
    at: fc.nat(3),
    status: fc.constantFrom('published', 'draft'),
    words: fc.option(WORDS),
    isDeleted: fc.boolean(),
  }),
  { maxLength: 12 },
)

test('after any writes, each word finds the articles that have it', async () => {
  const server = await openTestServer()
  const { store } = server
  const siteId = store.defaultSiteId
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const articles = new Map<number, { id: string; words: readonly string[]; status: string }>()
      for (const { at, status, words, isDeleted } of steps) {
        const known = articles.get(at)
        if (isDeleted && known !== undefined) {
          await server.call('DELETE', `/api/v2/articles/${known.id}`)
          articles.delete(at)
          continue
        }
        const id = known?.id ?? (await createArticle(server, { slug: `s${at}`, content: '' }))
        const levels = (words ?? []).map((word) => `${word}=${1 + (at % 9)}`)
        const editedDate = await touch(server.db, id)
        await store.storeEntries(siteId, [
          {
            id,
            editedDate,
            language: '',
            status: status === 'draft' ? 'draft' : 'published',
            entries: words === null ? undefined : levels.join(' '),
          },
        ])
        articles.set(at, { id, words: words ?? [], status })
      }
      for (const word of ['ant', 'bee', 'cat', 'dog']) {
        const having = [...articles.values()].filter(
          ({ words, status }) => status === 'published' && words.includes(word),
        )
        expect(await idsWith(store, siteId, word)).toEqual(having.map(({ id }) => id).toSorted())
      }
      await store.postEntries(siteId, 100)
      for (const { id } of articles.values()) await server.call('DELETE', `/api/v2/articles/${id}`)
      await store.postEntries(siteId, 100)
      expect(await idsWith(store, siteId, 'ant')).toEqual([])
    }),
    { numRuns: 30 },
  )
})

/** Marks an article as unindexed. @returns when it was edited */
async function touch(db: string, id: string): Promise<string> {
  const connection = new Libsql(db)
  connection
    .prepare('insert or ignore into unindexed_articles select id, site_id from articles where id = ?')
    .run(id)
  const row = connection.prepare('select last_edited_date as date from articles where id = ?').get(id)
  connection.close()
  return (row as { date: string }).date
}

async function idsWith(store: TestServer['store'], siteId: string, word: string): Promise<string[]> {
  const index = store.openIndex({ siteId, visibility: 'published', language: '' })
  const words = { isStop: () => false, stem: (each: string) => each, keepsStart: true }
  return [...(await searchByWords(index, word, words)).ids].toSorted()
}

test('a restored database has the same search results as the one that was backed up', async () => {
  const [server, other] = [await openPagesServer(), await openPagesServer()]
  await createArticle(server, { slug: 'a', content: '<p>zebra</p>' })
  await createArticle(other, { slug: 'b', content: '<p>horse</p>' })
  expect([await slugsFound(server, 'zebra'), await slugsFound(other, 'horse')]).toEqual([['a'], ['b']])
  const source = join(temporaryFolder(), 'backup.db')
  backupSqlite(server.db, source)
  restoreSqlite({
    file: other.db,
    source,
    keepAs: undefined,
    defaultSite: DEFAULT_SITE,
    onStep: () => undefined,
  })
  expect([await slugsFound(other, 'zebra'), await slugsFound(other, 'horse')]).toEqual([['a'], []])
})

test('an article edited while its words are read is read again', async () => {
  const server = await openPagesServer()
  const { store } = server
  const id = await createArticle(server, { slug: 'a', content: '<p>zebra</p>' })
  const siteId = store.defaultSiteId
  const [article] = await store.listUnindexed(siteId, { after: '', upTo: id }, 1, 1000)
  if (article === undefined) throw new Error('It was indexed already.')
  await server.call(
    'POST',
    `/api/v2/articles/${id}`,
    articleBody(server, { slug: 'a', content: '<p>horse</p>' }),
  )
  await store.storeEntries(siteId, [{ ...article, entries: 'zebra=9' }])
  expect([await slugsFound(server, 'zebra'), await slugsFound(server, 'horse')]).toEqual([[], ['a']])
})

test('a search that cannot wait uses the current index, which is completed later', async () => {
  const server = await openPagesServer()
  for (const slug of ['a', 'b']) await createArticle(server, { slug, content: '<p>zebra</p>' })
  const { store } = server
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const slow = {
    ...store,
    listUnindexed: async (...about: Parameters<typeof store.listUnindexed>) => (
      await gate,
      store.listUnindexed(...about)
    ),
  }
  const siteId = store.defaultSiteId
  const search = createStoreSearch({
    store: slow,
    siteId,
    catalog: createSiteCatalog(store, siteId),
    patienceMs: 1,
  })
  onTestFinished(() => search.close())
  const find = async () => (await search.search(ZEBRA)).total
  expect(await find()).toBe(0)
  open()
  await expect.poll(find).toBe(2)
})

test('an author finds a draft instead of its published article, a reader never', async () => {
  const server = await openPagesServer()
  await createArticle(server, { slug: 'a', content: '<p>zebra</p>' })
  await createArticle(server, { slug: 'a', content: '<p>zebra draft</p>', status: 'draft' })
  await createArticle(server, { slug: 'hidden', content: '<p>zebra</p>', hideFromSearch: true })
  const { store } = server
  const siteId = store.defaultSiteId
  const search = createStoreSearch({ store, siteId, catalog: createSiteCatalog(store, siteId) })
  onTestFinished(() => search.close())
  const find = async (viewer: 'reader' | 'author') => {
    const { total, hits } = await search.search({ ...ZEBRA, viewer })
    return [total, hits.map(({ isDraft }) => isDraft)]
  }
  expect([await find('reader'), await find('author')]).toEqual([
    [1, [false]],
    [1, [true]],
  ])
})

test('results are counted, and shown on pages with their category and the words marked', async () => {
  const server = await openPagesServer()
  for (let at = 0; at < 45; at++)
    await createArticle(server, {
      slug: `a${at}`,
      title: `Article ${at}`,
      content: '<p>A running zebra.</p>',
    })
  const visitor = visitorOf(server)
  const first = await visitor.get('/search?q=zebras')
  expect(first.text).toContain('45 articles found')
  expect(first.text).toContain('<p class="kb-where">Guides</p>')
  expect(first.text).toContain('<p>A running <mark>zebra</mark>.</p>')
  expect(first.text).toContain('Page 1 of 3')
  expect(first.text).toContain('rel="next" href="/search?q=zebras&amp;page=2"')
  expect(first.text).not.toContain('rel="prev"')
  const third = await visitor.get('/search?q=zebras&page=3')
  expect(third.text.match(/<p class="kb-where">/g)?.length).toBe(5)
  expect(third.text).toContain('rel="prev" href="/search?q=zebras&amp;page=2"')
  expect(third.text).not.toContain('rel="next"')
  for (const page of ['99', '0', 'x', '-1', '1e9'])
    expect((await visitor.get(`/search?q=zebras&page=${page}`)).text).toContain('45 articles found')
  expect((await visitor.get('/search?q=zebras&part=results')).text).not.toContain('Page 1')
})

test('the knowledge base can be closed while the index is built', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  const kb = await openKnowledgeBase({ db, pages: PAGES })
  const siteId = kb.store.defaultSiteId
  const { categories } = await kb.store.seed(siteId, { categories: [{ name: 'A', slug: 'a' }] }, NOW)
  for (let at = 0; at < 300; at++) {
    await kb.store.createArticle(siteId, {
      title: `T ${at}`,
      slug: `t-${at}`,
      categoryIds: [categories['a'] ?? ''],
      tagIds: undefined,
      excerpt: '',
      order: 0,
      status: 'published',
      content: `<p>${`zebra${at} `.repeat(500)}</p>`,
      hideFromSearch: undefined,
      seoBannerUrl: undefined,
      reviewDate: undefined,
      language: undefined,
      languageParent: undefined,
      writtenBy: null,
      now: NOW,
    })
  }
  const searching = kb.app.request('/search?q=zebra1')
  await Promise.all([kb.close(), Promise.allSettled([searching])])
  const again = await openStore({ db, languages: ['en'], articleLimit: 10, now: NOW })
  expect(await again.countByStatus(siteId)).toEqual({ published: 300, drafts: 0 })
  await again.close()
})
