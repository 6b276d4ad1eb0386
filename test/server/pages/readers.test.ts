// What readers see of a knowledge base, and what they never see.
import { expect, test } from 'vitest'
import { issueKey } from '../../../src/server/open-administration.ts'
import { API_KEY, articleBody, createArticle, NOW, SEED, type TestServer } from '../../support/server.ts'
import { addKey, withAdmin } from '../../support/with-admin.ts'
import { NO_BRAND } from '../../../src/web/pages/brand/load-brand.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'

const EVERYWHERE = [
  '/',
  '/search',
  '/search?q=secret',
  '/search?q=secret&part',
  '/search?q=secr',
  '/search?q=zebra',
  '/search?lang=fr',
  '/search?q=secret&lang=fr',
  '/categories/guides',
  '/categories/accounts',
  '/categories/guides?lang=fr',
  '/tags/security',
  '/articles/public',
  '/articles/secret',
  '/articles/secret?lang=fr',
  '/articles/public?lang=fr',
  '/status',
  '/_kb/sign-in',
]

/** A site with a public article, a separate draft, a draft of the public one and a draft translation. */
async function openWithSecrets(): Promise<TestServer> {
  const server = await openPagesServer({ languages: ['en', 'fr'] })
  const tags = [{ value: server.security }]
  const publicId = await createArticle(server, {
    title: 'Public',
    slug: 'public',
    content: '<p>zebra</p>',
    tags,
  })
  const secret = {
    title: 'SECRET-TITLE',
    excerpt: 'SECRET-EXCERPT',
    content: '<p>SECRET-TEXT zebra</p>',
    tags,
  }
  await createArticle(server, { ...secret, slug: 'secret', status: 'draft' })
  await createArticle(server, { ...secret, slug: 'public', status: 'draft' })
  await createArticle(server, {
    ...secret,
    slug: 'secret',
    status: 'draft',
    lang: 'fr',
    languageParent: publicId,
  })
  return server
}

test('a draft is visible nowhere: not in lists, searches, translations or counts', async () => {
  const reader = visitorOf(await openWithSecrets())
  for (const path of EVERYWHERE) {
    const { text } = await reader.get(path)
    expect([path, text.includes('SECRET')]).toEqual([path, false])
  }
  expect((await reader.get('/search?q=zebra')).text).toContain('1 article found')
  expect((await reader.get('/articles/public')).text).toContain('zebra')
  expect((await reader.get('/articles/public')).text).not.toContain('lang=fr" hreflang')
})

test('a draft, an article of another site and a missing one have the same response', async () => {
  const server = await openWithSecrets()
  await addOtherSite(server)
  const reader = visitorOf(server)
  const shown = async (path: string) => {
    const { status, text } = await reader.get(path)
    return { status, text: text.replaceAll(path.split('/').at(-1) ?? '', 'SLUG') }
  }
  const missing = await shown('/articles/never-was')
  expect(missing.status).toBe(404)
  expect(await shown('/articles/secret')).toEqual(missing)
  expect(await shown('/articles/elsewhere')).toEqual(missing)
})

test('categories and tags with only drafts are hidden', async () => {
  const server = await openPagesServer()
  const [categories, tags] = [[{ value: server.accounts }], [{ value: server.security }]]
  await createArticle(server, { slug: 'a', status: 'draft', categories, tags })
  const [reader, author] = [visitorOf(server), visitorOf(server)]
  const headers = { Authorization: `Bearer ${API_KEY}` }
  for (const path of ['/categories/accounts', '/tags/security']) {
    expect([path, (await reader.get(path)).status]).toEqual([path, 404])
    expect([path, (await author.get(path, headers)).status]).toEqual([path, 200])
  }
})

test('articles, categories and tags of another site are hidden, from authors, too', async () => {
  const server = await openPagesServer({ languages: ['en', 'fr'] })
  await createArticle(server, { title: 'Ours', slug: 'ours', tags: [{ value: server.security }] })
  await addOtherSite(server)
  const reader = visitorOf(server)
  const author = { Authorization: 'Bearer key-for-tests' }
  const paths = [
    ...EVERYWHERE,
    '/search?q=elsewhere',
    '/articles/elsewhere',
    '/categories/theirs',
    '/tags/theirs',
  ]
  for (const path of paths) {
    expect([path, (await reader.get(path)).text.includes('ELSEWHERE')]).toEqual([path, false])
    expect([path, (await reader.get(path, author)).text.includes('ELSEWHERE')]).toEqual([path, false])
  }
  expect((await reader.get('/categories/theirs')).status).toBe(404)
  expect((await reader.get('/tags/theirs')).status).toBe(404)
})

test('an article hidden from search can be read, and is listed, but not found', async () => {
  const server = await openPagesServer()
  await createArticle(server, {
    title: 'Quiet',
    slug: 'quiet',
    content: '<p>whisper</p>',
    hideFromSearch: true,
  })
  const reader = visitorOf(server)
  expect((await reader.get('/articles/quiet')).text).toContain('whisper')
  expect((await reader.get('/categories/guides')).text).toContain('Quiet')
  for (const q of ['quiet', 'whisper'])
    expect((await reader.get(`/search?q=${q}`)).text).not.toContain('/articles/quiet')
})

test('lists have pages in order, with each article once', async () => {
  const server = await openPagesServer()
  const expected: string[] = []
  for (let at = 0; at < 120; at++) {
    const order = at % 3
    await server.call('PUT', '/api/v2/articles', {
      title: `Article ${String(at).padStart(3, '0')}`,
      slug: `article-${at}`,
      categories: [{ value: at < 70 ? server.guides : server.accounts }],
      tags: at % 2 === 0 ? [{ value: server.security }] : [],
      excerpt: '',
      ordering: order,
      status: 'published',
      content: '<p>x</p>',
    })
    expected.push(`${order} Article ${String(at).padStart(3, '0')} article-${at}`)
  }
  const sorted = expected.toSorted().map((each) => each.split(' ').at(-1))
  const numberOf = (slug = '') => Number(slug.split('-')[1])
  expect(await walk(server, '/search')).toEqual(sorted)
  expect(await walk(server, '/categories/guides')).toEqual(sorted.filter((slug) => numberOf(slug) < 70))
  expect(await walk(server, '/tags/security')).toEqual(sorted.filter((slug) => numberOf(slug) % 2 === 0))
})

test('navigation shows the neighbours of an article, however large its category is', async () => {
  const server = await openPagesServer()
  const slugs = Array.from({ length: 130 }, (_, at) => `a${String(at).padStart(3, '0')}`)
  await Promise.all(
    slugs.map((slug) =>
      server.call('PUT', '/api/v2/articles', articleBody(server, { title: slug, slug, ordering: 1 })),
    ),
  )
  const reader = visitorOf(server)
  const around = async (slug: string) => {
    const { text } = await reader.get(`/articles/${slug}`)
    const [nav = ''] = /<nav class="kb-nav".*?<\/nav>/s.exec(text) ?? []
    const beside = [...nav.matchAll(/articles\/(a\d+)/g)].map(([, name]) => name)
    const linkTo = (rel: string) => new RegExp(`rel="${rel}" href="/articles/(a\\d+)"`).exec(text)?.[1]
    return [
      beside[0],
      beside.length,
      beside.at(-1),
      nav.includes('aria-current'),
      linkTo('prev'),
      linkTo('next'),
    ]
  }
  expect(await around('a000')).toEqual(['a000', 51, 'a050', true, undefined, 'a001'])
  expect(await around('a110')).toEqual(['a060', 70, 'a129', true, 'a109', 'a111'])
  expect(await around('a129')).toEqual(['a079', 51, 'a129', true, 'a128', undefined])
})

test('names, categories and tags are in the language, and translations link to each other', async () => {
  const server = await openPagesServer({
    languages: ['en', 'fr'],
    seed: {
      categories: [
        {
          name: 'Accounts',
          slug: 'accounts',
          parent: 'guides',
          translations: { fr: { name: 'Comptes', slug: 'comptes' } },
        },
        { name: 'Guides', slug: 'guides' },
      ],
      tags: [
        { name: 'Security', slug: 'security', translations: { fr: { name: 'Sécurité', slug: 'securite' } } },
      ],
    },
  })
  const shared = { categories: [{ value: server.accounts }], tags: [{ value: server.security }] }
  const id = await createArticle(server, { ...shared, title: 'Hello', slug: 'hello' })
  await createArticle(server, {
    ...shared,
    title: 'Bonjour',
    slug: 'bonjour',
    lang: 'fr',
    languageParent: id,
  })
  const reader = visitorOf(server)
  const french = (await reader.get('/articles/bonjour?lang=fr')).text
  for (const part of ['Comptes', 'Guides', 'Sécurité', '/articles/hello"', '/categories/comptes?lang=fr']) {
    expect([part, french.includes(part)]).toEqual([part, true])
  }
  const english = (await reader.get('/articles/hello')).text
  expect(english).toContain('/articles/bonjour?lang=fr')
  for (const path of ['/categories/comptes?lang=fr', '/tags/securite?lang=fr']) {
    const { status, text } = await reader.get(path)
    expect([path, status, text.includes('Bonjour'), text.includes('>Hello<')]).toEqual([
      path,
      200,
      true,
      false,
    ])
  }
})

test('a tag with another slug in each language is found by each, and they link to each other', async () => {
  const translations = { fr: { name: 'Facturation', slug: 'facturation' } }
  const server = await openPagesServer({
    languages: ['en', 'fr', 'de'],
    seed: { ...SEED, tags: [{ name: 'Billing', slug: 'billing', translations }] },
  })
  const tags = [{ value: server.seeded.tags['billing'] }]
  for (const [at, lang] of ['en', 'fr', 'de'].entries())
    await createArticle(server, { tags, lang, slug: `a${at}` })
  const reader = visitorOf(server)
  const urls = ['/tags/billing', '/tags/facturation?lang=fr', '/tags/billing?lang=de']
  for (const url of urls) {
    const { status, text } = await reader.get(url)
    const led = [...text.matchAll(/<link rel="alternate"[^>]* href="([^"]*)"/g)].map(([, href]) => href)
    expect([url, status, led]).toEqual([url, 200, urls])
  }
})

test('an article is found by its slug in any language, the default language first', async () => {
  const server = await openPagesServer({ languages: ['en', 'fr'] })
  await createArticle(server, { title: 'English', slug: 'both' })
  await createArticle(server, { title: 'Français', slug: 'both', lang: 'fr' })
  await createArticle(server, { title: 'Seulement', slug: 'seulement', lang: 'fr' })
  const reader = visitorOf(server)
  expect((await reader.get('/articles/both')).text).toContain('English')
  expect((await reader.get('/articles/both?lang=fr')).text).toContain('Français')
  expect((await reader.get('/articles/seulement')).text).toContain('Seulement')
})

/** Returns the slugs of a list, page by page. */
async function walk(server: TestServer, first: string): Promise<(string | undefined)[]> {
  const reader = visitorOf(server)
  const slugs: (string | undefined)[] = []
  let path: string | undefined = first
  while (path !== undefined) {
    const { text } = await reader.get(path)
    const main = text.slice(text.indexOf('<main'))
    slugs.push(...[...main.matchAll(/href="\/articles\/([^"]+)"/g)].map(([, slug]) => slug))
    path = /href="([^"]*[?&;]after=[^"]*)"/.exec(main)?.[1]?.replaceAll('&amp;', '&')
  }
  return slugs
}

async function addOtherSite(server: TestServer): Promise<void> {
  const site = await withAdmin(server.db, (admin) =>
    admin.sites.add({ name: 'other', languages: ['en', 'fr'], articleLimit: null, now: NOW }),
  )
  const { key, hash } = issueKey(site.id)
  await addKey(server.db, { hash, siteId: site.id })
  const theirs = [{ name: 'ELSEWHERE', slug: 'theirs' }]
  const seeded = await server.store.seed(site.id, { ...SEED, categories: theirs, tags: theirs }, NOW)
  const body = {
    title: 'ELSEWHERE',
    slug: 'elsewhere',
    categories: [{ value: seeded.categories['theirs'] }],
    tags: [{ value: seeded.tags['theirs'] }],
    excerpt: 'ELSEWHERE',
    ordering: 1,
    status: 'published',
    content: '<p>ELSEWHERE secret zebra</p>',
  }
  const answer = await server.call('PUT', '/api/v2/articles', body, { Authorization: `Bearer ${key}` })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

test('a text is read only if it is visible and not larger than the limit, in bytes', async () => {
  const server = await openPagesServer()
  const id = await createArticle(server, { slug: 'a', content: '<p>éé</p>', status: 'draft' })
  const siteId = server.store.defaultSiteId
  const read = (visibility: 'published' | 'all', limitBytes: number) =>
    server.store.readReaderContent({ siteId, visibility }, id, limitBytes)
  expect([await read('all', 11), await read('all', 10), await read('published', 11)]).toEqual([
    '<p>éé</p>',
    undefined,
    undefined,
  ])
})

test('a cached page shows every change at once, including those of another process and around the article', async () => {
  const server = await openPagesServer()
  const { db } = server
  const id = await createArticle(server, { title: 'Before', slug: 'kept' })
  const reader = visitorOf(server)
  const other = await openPagesServer({ db })
  const titles = async () => {
    const texts = await Promise.all([1, 2].map(async () => (await reader.get('/articles/kept')).text))
    return texts.map((text) => /<h1>(.*?)<\/h1>/.exec(text)?.[1])
  }
  expect(await titles()).toEqual(['Before', 'Before'])
  await other.call('POST', `/api/v2/articles/${id}`, articleBody(server, { title: 'After', slug: 'kept' }))
  expect(await titles()).toEqual(['After', 'After'])
  await createArticle(server, { title: 'A neighbour', slug: 'near' })
  expect((await reader.get('/articles/kept')).text).toContain('A neighbour')
  const known = (await reader.get('/articles/kept')).headers.get('etag') ?? ''
  expect((await reader.get('/articles/kept', { 'If-None-Match': known })).status).toBe(304)
  await other.call('DELETE', `/api/v2/articles/${id}`)
  expect((await reader.get('/articles/kept')).status).toBe(404)
})

test('an edit link shows the current location of the file', async () => {
  const brand = { ...NO_BRAND, editUrl: 'https://git.example/{path}' }
  const server = await openPagesServer({ pages: { ...PAGES, brand } })
  const id = await createArticle(server, { slug: 'moved' })
  const linked = async () =>
    /git\.example\/([^"]*)/.exec((await visitorOf(server).get('/articles/moved')).text)?.[1]
  expect(await linked()).toBe(undefined)
  for (const path of ['old.md', 'guides/new.md']) {
    await server.store.setSources(server.store.defaultSiteId, [{ id, path }])
    expect(await linked()).toBe(path)
  }
})
