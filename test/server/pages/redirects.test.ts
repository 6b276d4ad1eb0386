// A URL that readers know always leads to the article, whatever its current slug.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { articleBody, createArticle, type TestServer } from '../../support/server.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'
import { REDIRECTS_START } from '../../../src/server/store/reader-data.ts'

const RUNS = readRuns('HISTORIES', 50)

async function rename(server: TestServer, id: string, changes: object): Promise<void> {
  const { status } = await server.call('POST', `/api/v2/articles/${id}`, articleBody(server, changes))
  expect(status).toBe(200)
}

async function locationOf(server: TestServer, path: string, headers = {}) {
  const { status, headers: received } = await visitorOf(server).get(path, headers)
  return [status, received.get('location')]
}

test('an old URL redirects to the new one at once, permanently, and is revalidated each time', async () => {
  const server = await openPagesServer()
  const id = await createArticle(server, { slug: 'one' })
  await rename(server, id, { slug: 'two' })
  await rename(server, id, { slug: 'three' })
  expect(await locationOf(server, '/articles/one')).toEqual([301, '/articles/three'])
  expect(await locationOf(server, '/articles/two/')).toEqual([301, '/articles/three'])
  const { headers } = await visitorOf(server).get('/articles/one')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('a URL below a public path redirects to one below it', async () => {
  const addresses = { ...PAGES.addresses, url: 'https://acme.example/help', base: '/help' }
  const server = await openPagesServer({ pages: { ...PAGES, addresses } })
  await rename(server, await createArticle(server, { slug: 'one' }), { slug: 'two' })
  expect(await locationOf(server, '/help/articles/one')).toEqual([301, '/help/articles/two'])
})

test('an article that uses the slug again is shown, and no draft is revealed', async () => {
  const server = await openPagesServer()
  const id = await createArticle(server, { slug: 'one' })
  await rename(server, id, { slug: 'two' })
  await createArticle(server, { slug: 'one', title: 'Another' })
  expect((await visitorOf(server).get('/articles/one')).text).toContain('Another')
  await rename(server, id, { slug: 'secret', status: 'draft' })
  expect(await locationOf(server, '/articles/two')).toEqual([404, null])
})

test('the slug of an original redirects to its translation, and so does an old one', async () => {
  const server = await openPagesServer({ languages: ['en', 'fr', 'de'] })
  const original = await createArticle(server, { slug: 'reset' })
  const french = await createArticle(server, { slug: 'reinitialiser', lang: 'fr', languageParent: original })
  expect(await locationOf(server, '/articles/reset?lang=fr')).toEqual([
    301,
    '/articles/reinitialiser?lang=fr',
  ])
  expect(await locationOf(server, '/articles/reinitialiser?lang=en')).toEqual([301, '/articles/reset'])
  // Without a translation, it redirects temporarily to the original.
  expect(await locationOf(server, '/articles/reset?lang=de')).toEqual([302, '/articles/reset?from=de'])
  expect(await locationOf(server, '/articles/nothing?lang=de')).toEqual([404, null])
  expect(await locationOf(server, '/articles/reset?lang=nonsense')).toEqual([404, null])
  await rename(server, original, { slug: 'reset-password' })
  await rename(server, french, { slug: 'motdepasse', lang: 'fr', languageParent: original })
  expect(await locationOf(server, '/articles/reset?lang=fr')).toEqual([301, '/articles/motdepasse?lang=fr'])
  expect(await locationOf(server, '/articles/reinitialiser')).toEqual([301, '/articles/motdepasse?lang=fr'])
})

/** Changes the slug of a category or tag, in a language. */
async function renameTaxon(server: TestServer, kind: 'categories' | 'tags', lang: string, slug: string) {
  const id = kind === 'tags' ? server.security : server.guides
  const body = { name: slug, slug, lang, ...(kind === 'tags' ? { id } : { priority: 0 }) }
  expect((await server.call('POST', `/api/v2/${kind}/${id}`, body)).status).toBe(200)
}

test('a category or tag keeps its old URLs, each translation its own, and redirects to a language with articles', async () => {
  for (const kind of ['categories', 'tags'] as const) {
    const server = await openPagesServer({ languages: ['en', 'fr', 'de'] })
    const at = (slug: string, lang?: string) => `/${kind}/${slug}${lang === undefined ? '' : `?lang=${lang}`}`
    const shared = { tags: [{ value: server.security }] }
    const old = kind === 'tags' ? 'security' : 'guides'
    const id = await createArticle(server, shared)
    await renameTaxon(server, kind, 'en', 'two')
    await renameTaxon(server, kind, 'en', 'three')
    expect(await locationOf(server, at(old))).toEqual([301, at('three')])
    expect(await locationOf(server, at('two'))).toEqual([301, at('three')])
    // There is no article in French yet, and the category has no French slug.
    for (const slug of [old, 'two', 'three'])
      expect([slug, ...(await locationOf(server, at(slug, 'fr')))]).toEqual([
        slug,
        302,
        `${at('three')}?from=fr`,
      ])
    await createArticle(server, { ...shared, slug: 'un', lang: 'fr', languageParent: id })
    expect(await locationOf(server, at('two', 'fr'))).toEqual([301, at('three', 'fr')])
    await renameTaxon(server, kind, 'fr', 'deux')
    await renameTaxon(server, kind, 'fr', 'trois')
    for (const slug of [old, 'three', 'deux'])
      expect([slug, ...(await locationOf(server, at(slug, 'fr')))]).toEqual([slug, 301, at('trois', 'fr')])
    expect(await locationOf(server, at('trois'))).toEqual([301, at('trois', 'fr')])
    expect(await locationOf(server, at('deux'))).toEqual([301, at('trois', 'fr')])
    expect(await locationOf(server, at('trois', 'de'))).toEqual([302, `${at('three')}?from=de`])
    expect(await locationOf(server, at('three', 'fr'))).toEqual([301, at('trois', 'fr')])
    for (const path of [at('three'), at('trois', 'fr')]) {
      const { status, text } = await visitorOf(server).get(path)
      const others = [...text.matchAll(/<link rel="alternate" hreflang="([^"]*)"/g)].map(([, code]) => code)
      expect([path, status, others]).toEqual([path, 200, ['en', 'fr']])
    }
    expect(await locationOf(server, at('nothing', 'fr'))).toEqual([404, null])
    expect(await locationOf(server, at('three', 'nonsense'))).toEqual([200, null])
  }
})

test('a reader who is redirected to another language gets a note in the requested one', async () => {
  const server = await openPagesServer({ languages: ['en', 'fr', 'de', 'es'] })
  const original = await createArticle(server, { slug: 'reset', tags: [{ value: server.security }] })
  await createArticle(server, { slug: 'zuruecksetzen', lang: 'de', languageParent: original })
  const noteAt = async (path: string) => {
    const { text } = await visitorOf(server).get(path)
    const [, lang, note = ''] = /<p class="kb-untranslated" lang="(.*?)"[^>]*>(.*?)<\/p>/s.exec(text) ?? []
    return lang && [lang, note.trim()]
  }
  const follow = async (path: string) => noteAt(String((await locationOf(server, path))[1]))
  const french = ['fr', 'Cette page n’est pas encore disponible en français.']
  const english = ['en', 'This page is not available in Spanish yet.']
  for (const path of ['/articles/reset', '/categories/guides', '/tags/security']) {
    expect([path, await follow(`${path}?lang=fr`)]).toEqual([path, french])
    expect([path, await follow(`${path}?lang=es`)]).toEqual([path, english])
    // No one else gets it, with any link.
    for (const from of ['', '?from=', '?from=en', '?from=nonsense', '?from=%22%3E%3Cb%3E'])
      expect([path, from, await noteAt(`${path}${from}`)]).toEqual([path, from, undefined])
  }
  expect(await noteAt('/articles/reset?from=de')).toBe(undefined)
  const { text } = await visitorOf(server).get('/articles/reset?from=fr')
  expect(text).toContain('<link rel="canonical" href="/articles/reset" />')
})

test('redirects lead only to the pages themselves', async () => {
  const addresses = { ...PAGES.addresses, article: '/{slug}' }
  const server = await openPagesServer({ pages: { ...PAGES, addresses } })
  const slugs = [
    String.raw`\evil.example`,
    '@evil.example',
    'https:evil.example',
    '%2F%2Fevil.example',
    'a:b',
  ]
  const id = await createArticle(server, { slug: 'old' })
  for (const slug of slugs) {
    await rename(server, id, { slug })
    const [status, location] = await locationOf(server, '/old')
    expect(status).toBe(301)
    const url = new URL(String(location), 'http://localhost/old')
    expect([slug, url.origin, location]).toEqual([slug, 'http://localhost', `/${encodeURIComponent(slug)}`])
  }
})

test(
  'after any renames, each former URL of an article redirects to an existing one, in one step',
  timeoutOf(RUNS, 1000),
  async () => {
    const slug = fc.constantFrom('a', 'b', 'c', 'd')
    const article = fc.nat(3)
    const step = fc.oneof(
      fc.record({ kind: fc.constant('rename' as const), article, slug }),
      fc.record({ kind: fc.constant('delete' as const), article }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const server = await openPagesServer()
        const ids: (string | undefined)[] = []
        /** The article that a reader expects at a slug: the one that has it, or had it last. */
        const owners = new Map<string, number>()
        const current = new Map<number, string>()
        for (const each of steps) {
          const id = ids[each.article]
          if (each.kind === 'delete') {
            if (id === undefined) continue
            expect((await server.call('DELETE', `/api/v2/articles/${id}`)).status).toBe(200)
            for (const [at, owner] of owners) if (owner === each.article) owners.delete(at)
            current.delete(each.article)
            ids[each.article] = undefined
            continue
          }
          if ([...current.values()].includes(each.slug)) continue
          if (id === undefined) ids[each.article] = await createArticle(server, { slug: each.slug })
          else await rename(server, id, { slug: each.slug })
          owners.set(each.slug, each.article)
          current.set(each.article, each.slug)
        }
        for (const at of ['a', 'b', 'c', 'd']) {
          const now = current.get(owners.get(at) ?? -1)
          const expected =
            now === undefined ? [404, null] : now === at ? [200, null] : [301, `/articles/${now}`]
          expect([at, ...(await locationOf(server, `/articles/${at}`))]).toEqual([at, ...expected])
        }
      }),
      RUNS,
    )
  },
)

test('hits of readers are counted, those of search engines are not', async () => {
  const server = await openPagesServer({ languages: ['en', 'fr'] })
  const tags = [{ value: server.security }]
  await rename(server, await createArticle(server, { slug: 'one', tags }), { slug: 'two', tags })
  await Promise.all(['one', 'one', 'two', 'none'].map((slug) => locationOf(server, `/articles/${slug}`)))
  await server.app.request('/articles/one', { method: 'HEAD' })
  for (const kind of ['categories', 'tags'] as const) {
    await renameTaxon(server, kind, 'en', 'old')
    await renameTaxon(server, kind, 'en', 'new')
    for (const slug of ['old', 'new', 'none']) await locationOf(server, `/${kind}/${slug}`)
  }
  await server.close()
  const { store } = await openPagesServer({ db: server.db, languages: ['en', 'fr'] })
  expect(await store.listRedirects(store.defaultSiteId, REDIRECTS_START, 10)).toMatchObject([
    { kind: 'article', slug: 'one', hits: 2, lastHitDate: '2026-03-01T10:00:00.000Z' },
    { kind: 'category', slug: 'old', hits: 1, lastHitDate: '2026-03-01T10:00:00.000Z' },
    { kind: 'tag', slug: 'old', hits: 1, lastHitDate: '2026-03-01T10:00:00.000Z' },
  ])
})
