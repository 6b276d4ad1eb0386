import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/server/store/open-store.ts'
import { LATER, openFixture, type StoreHome } from './store-fixture.ts'
import { type RedirectPlace, REDIRECTS_START } from '../../../src/server/store/reader-data.ts'

const CHANGE = { description: undefined, longDescription: undefined, editedBy: null, now: LATER }
const PLACE = { priority: 0, parentId: undefined, thumbnailUrl: undefined, iconUrl: undefined }
const RENAMES = [
  ['en', 'two'],
  ['fr', 'un'],
  ['en', 'deux'],
  ['fr', 'deux'],
  ['en', 'three'],
] as const

/** The requirements of every store for former and declared slugs of articles. */
export function describeRedirects(title: string, createHome: () => Promise<StoreHome>): void {
  const open = openFixture(createHome)

  /** Returns the targets of each old slug, for readers. */
  async function leads(store: Store, ...slugs: readonly string[]) {
    const scope = { siteId: store.defaultSiteId, visibility: 'published' } as const
    const found = await Promise.all(slugs.map((slug) => store.findRedirects(scope, slug)))
    return found.map((each) => Object.fromEntries([...each].map(([from, { slug }]) => [from, slug])))
  }
  const listed = async (store: Store) =>
    (await store.listRedirects(store.defaultSiteId, REDIRECTS_START, 100)).map(
      ({ slug, isDeclared, hits }) => `${slug}${isDeclared ? ' declared' : ''} ${hits}`,
    )

  describe(`${title}: redirects`, () => {
    test('every former slug redirects to the article itself, whatever its current slug', async () => {
      const { store, createdId, update } = await open()
      const id = await createdId({ slug: 'one' })
      await update(id, { slug: 'two' })
      await update(id, { slug: 'three' })
      expect(await leads(store, 'one', 'two', 'three')).toEqual([{ '': 'three' }, { '': 'three' }, {}])
      await update(id, { slug: 'one' })
      expect(await listed(store)).toEqual(['three 0', 'two 0'])
    })

    test('the language matters, and changing it leaves a redirect, too', async () => {
      const { store, createdId, update } = await open({ languages: ['en', 'fr'] })
      const english = await createdId({ slug: 'one' })
      const french = await createdId({ slug: 'one', language: 'fr' })
      await update(french, { slug: 'un', language: 'fr' })
      expect(await leads(store, 'one')).toEqual([{ fr: 'un' }])
      await update(english, { slug: 'one', language: 'fr' })
      expect(await leads(store, 'one')).toEqual([{ '': 'one', fr: 'un' }])
    })

    test('a draft leaves none, and readers are not redirected to one', async () => {
      const { store, site, createdId, update } = await open()
      const id = await createdId({ slug: 'one', status: 'draft' })
      await update(id, { slug: 'two', status: 'published' })
      await update(id, { slug: 'three', status: 'draft' })
      expect(await leads(store, 'one', 'two')).toEqual([{}, {}])
      const author = await store.findRedirects({ siteId: site, visibility: 'all' }, 'two')
      expect(author.get('')?.slug).toBe('three')
    })

    test('a slug that was used again redirects to the article that left it last', async () => {
      const { store, site, createdId, update } = await open()
      const first = await createdId({ slug: 'one' })
      await update(first, { slug: 'two' })
      const second = await createdId({ slug: 'one' })
      expect(await listed(store)).toEqual([])
      await update(second, { slug: 'three' })
      expect(await leads(store, 'one')).toEqual([{ '': 'three' }])
      await store.deleteArticle(site, second, LATER)
      expect(await leads(store, 'one')).toEqual([{}])
    })

    test('it redirects nowhere once the article that used it again is deleted', async () => {
      const { store, site, createdId, update } = await open()
      await update(await createdId({ slug: 'one' }), { slug: 'two' })
      const draft = await createdId({ slug: 'one', status: 'draft' })
      await store.deleteArticle(site, draft, LATER)
      expect(await leads(store, 'one')).toEqual([{ '': 'two' }])
      await store.deleteArticle(site, await createdId({ slug: 'one' }), LATER)
      expect(await leads(store, 'one')).toEqual([{}])
    })

    test('declared slugs are replaced as a list, and kept if none is sent', async () => {
      const { store, createdId, update } = await open()
      const id = await createdId({ slug: 'one', aliases: ['a', 'b', 'a'] })
      expect(await listed(store)).toEqual(['a declared 0', 'b declared 0'])
      await update(id, { slug: 'one' })
      await update(id, { slug: 'one', aliases: ['b', 'c'] })
      expect(await listed(store)).toEqual(['b declared 0', 'c declared 0'])
      await update(id, { slug: 'two', aliases: [] })
      expect(await listed(store)).toEqual(['one 0'])
    })

    test('a declared slug takes precedence over a former one, in any order of the writes', async () => {
      for (const order of ['declared first', 'renamed first']) {
        const { store, createdId, update } = await open()
        const former = await createdId({ slug: 'old' })
        const declaring = await createdId({ slug: 'new' })
        const writes = [
          () => update(declaring, { slug: 'new', aliases: ['old'] }),
          () => update(former, { slug: 'other' }),
        ]
        for (const write of order === 'declared first' ? writes : writes.toReversed()) await write()
        expect([order, ...(await leads(store, 'old'))]).toEqual([order, { '': 'new' }])
      }
    })

    test('they are deleted with their article, and belong to one site', async () => {
      const { store, site, createdId, update } = await open()
      const id = await createdId({ slug: 'one', aliases: ['a'] })
      await update(id, { slug: 'two' })
      expect(await store.findRedirects({ siteId: 'another', visibility: 'all' }, 'one')).toEqual(new Map())
      await store.deleteArticle(site, id, LATER)
      expect(await listed(store)).toEqual([])
    })

    test('a rejected update leaves no redirect', async () => {
      const { store, createdId, update } = await open()
      await createdId({ slug: 'two' })
      const id = await createdId({ slug: 'one' })
      expect(await update(id, { slug: 'two', aliases: ['a'] })).toMatchObject({ kind: 'slug-taken' })
      expect(await listed(store)).toEqual([])
    })

    test('a category or tag keeps its former slugs, each translation its own', async () => {
      for (const kind of ['category', 'tag'] as const) {
        const { store, site, seeded } = await open({ languages: ['en', 'fr'] })
        const id = (kind === 'tag' ? seeded.tags['security'] : seeded.categories['accounts']) ?? ''
        const rename = (language: string, slug: string) =>
          kind === 'tag'
            ? store.updateTag(site, id, { ...CHANGE, name: slug, slug, language })
            : store.updateCategory(site, id, { ...CHANGE, ...PLACE, name: slug, slug, language })
        for (const [language, slug] of RENAMES) expect((await rename(language, slug)).kind).toBe('updated')
        const leadsTo = async (slug: string, ...languages: readonly string[]) => {
          const [found] = await store.findMovedTaxa(site, { kind, slug, languages })
          return found && [found.from, Object.fromEntries(found.slugs)]
        }
        const slugs = { '': 'three', fr: 'deux' }
        expect(await leadsTo('two', '', 'fr')).toEqual(['', slugs])
        expect(await leadsTo('un', '', 'fr')).toEqual(['fr', slugs])
        // It is a former slug in the default language, and the current one in French.
        expect(await leadsTo('deux', 'fr', '')).toEqual(['fr', slugs])
        expect(await leadsTo('un', '')).toBe(undefined)
        expect(await store.findMovedTaxa('another', { kind, slug: 'two', languages: [''] })).toEqual([])
        const seededSlug = kind === 'tag' ? 'security' : 'accounts'
        expect(await listed(store)).toEqual(
          [seededSlug, 'deux', 'two', 'un'].toSorted().map((slug) => `${slug} 0`),
        )
        await store.addRedirectHits(site, [{ kind, slug: 'un', language: 'fr', hits: 2 }], LATER)
        const all = await store.listRedirects(site, REDIRECTS_START, 100)
        expect(all.at(-1)).toEqual({
          kind,
          slug: 'un',
          language: 'fr',
          isDeclared: false,
          createdDate: LATER,
          hits: 2,
          lastHitDate: LATER,
          leadsTo: { id: expect.any(String), name: 'deux' },
        })
        expect((await rename('en', 'two')).kind).toBe('updated')
        expect(await leadsTo('three', '')).toEqual(['', { ...slugs, '': 'two' }])
      }
    })

    test('hits are counted without a new revision, and restart with another article', async () => {
      const { store, site, createdId, update } = await open()
      await update(await createdId({ slug: 'one' }), { slug: 'two' })
      const revision = await store.revision()
      const hits = { kind: 'article' as const, slug: 'one', language: '', hits: 3 }
      await store.addRedirectHits(site, [hits, { ...hits, slug: 'unknown' }], LATER)
      await store.addRedirectHits(site, [hits], LATER)
      expect(await store.listRedirects(site, REDIRECTS_START, 10)).toEqual([
        expect.objectContaining({ slug: 'one', hits: 6, lastHitDate: LATER, createdDate: LATER }),
      ])
      expect(await store.revision()).toBe(revision)
      await update(await createdId({ slug: 'one' }), { slug: 'three' })
      expect(await listed(store)).toEqual(['one 0'])
    })

    test('a list with pages of any size contains the redirects of all kinds once', async () => {
      const { store, site, seeded, createdId, update } = await open()
      await update(await createdId({ slug: 'one', aliases: ['a', 'b'] }), { slug: 'two' })
      const change = { ...CHANGE, name: 'x', language: 'en' }
      for (const slug of ['x', 'y']) {
        await store.updateTag(site, seeded.tags['security'] ?? '', { ...change, slug })
        await store.updateCategory(site, seeded.categories['guides'] ?? '', { ...change, ...PLACE, slug })
      }
      const slugs = ['a', 'b', 'one', 'guides', 'x', 'security', 'x']
      for (const limit of [1, 2, 3, 4, 7, 8]) {
        const found: RedirectPlace[] = []
        for (let after = REDIRECTS_START; ;) {
          const page = await store.listRedirects(site, after, limit)
          found.push(...page)
          if (page.length < limit) break
          after = page.at(-1) ?? after
        }
        expect([limit, found.map(({ slug }) => slug)]).toEqual([limit, slugs])
      }
    })

    test('the file of an article is stored separately, does not change it, and is deleted with it', async () => {
      const { store, site, createdId } = await open()
      const id = await createdId({ slug: 'one' })
      const [revision, own] = [await store.revision(site), store.ownRevisions()]
      await store.setSources(site, [
        { id, path: 'one.md' },
        { id: 'unknown', path: 'two.md' },
      ])
      await store.setSources(site, [{ id, path: 'guides/one.md' }])
      expect(await store.findSource(site, id)).toBe('guides/one.md')
      expect(await store.findSource(site, 'unknown')).toBe(undefined)
      expect([await store.revision(site), store.ownRevisions()]).toEqual([revision, own])
      await store.deleteArticle(site, id, LATER)
      expect(await store.findSource(site, id)).toBe(undefined)
    })
  })
}
