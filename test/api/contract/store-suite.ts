import { describe, expect, onTestFinished, test } from 'vitest'
import {
  ALL,
  FROM_START,
  LATER,
  ALL_LINKS,
  linksTo,
  NOW,
  openFixture,
  readRecord,
  type StoreHome,
} from './store-fixture.ts'

/** What every store must do, whatever database is under it. `createHome` gives each test an empty one. */
export function describeStore(title: string, createHome: () => Promise<StoreHome>): void {
  const open = openFixture(createHome)

  describe(`${title}: articles`, () => {
    test('one that was created is read back whole', async () => {
      const { store, site, seeded, createdId } = await open()
      const [guides, security] = [seeded.categories['guides'] ?? '', seeded.tags['security'] ?? '']
      const id = await createdId({ tagIds: [security], order: 1.5, hideFromSearch: true, reviewDate: LATER })
      expect(await readRecord(store, site, id)).toEqual({
        id,
        name: 'One',
        slug: 'one',
        excerpt: '',
        content: '<p>One</p>',
        order: 1.5,
        status: 'published',
        hideFromSearch: true,
        seoBannerUrl: '',
        reviewDate: LATER,
        language: null,
        languageParent: null,
        articleParent: '',
        createdDate: NOW,
        editedDate: NOW,
        draftId: '',
        categories: [expect.objectContaining({ itemId: guides, itemName: 'Guides' })],
        tags: [expect.objectContaining({ itemId: security, itemName: 'Security' })],
      })
    })

    test('content comes back byte for byte', async () => {
      const { store, site, createdId } = await open()
      const content = '\r\n\t<p>é\u0301 🙂 \u2028 \ufeff &amp; " \' \\ \u0001</p>'
      const id = await createdId({ content })
      expect((await readRecord(store, site, id))?.content).toBe(content)
    })

    test('a slug is given once per status', async () => {
      const { create } = await open()
      await create()
      expect(await create({ title: 'Two' })).toEqual({ kind: 'slug-taken', by: 'One' })
    })

    test('a draft stands beside the published article, whichever came first', async () => {
      const { store, site, createdId } = await open()
      const published = await createdId()
      const draft = await createdId({ status: 'draft' })
      const earlyDraft = await createdId({ slug: 'two', status: 'draft' })
      const latePublished = await createdId({ slug: 'two' })
      const read = async (id: string) => {
        const record = await readRecord(store, site, id)
        return [record?.articleParent, record?.draftId]
      }
      expect(await Promise.all([published, draft, earlyDraft, latePublished].map(read))).toEqual([
        ['', draft],
        [published, ''],
        [latePublished, ''],
        ['', earlyDraft],
      ])
    })

    test('deleting a published article leaves its draft as one of its own', async () => {
      const { store, site, createdId } = await open()
      const published = await createdId()
      const draft = await createdId({ status: 'draft' })
      expect(await store.deleteArticle(site, published, LATER)).toEqual({ kind: 'deleted', name: 'One' })
      expect((await readRecord(store, site, draft))?.articleParent).toBe('')
      expect(await store.readArticle(site, published)).toEqual({ kind: 'unknown' })
    })

    test('links and the place in a category go with their article', async () => {
      const { store, site, createdId } = await open()
      const id = await createdId({ links: linksTo('a', 'b') })
      await store.deleteArticle(site, id, LATER)
      expect(await store.listLinks(site, ALL_LINKS)).toEqual([])
      const categories = await store.listCategories(site, ALL)
      expect(categories.map(({ latest }) => latest)).toEqual([undefined, undefined])
    })

    test('an unknown category or tag is named by its place', async () => {
      const { create, seeded } = await open()
      const guides = seeded.categories['guides'] ?? ''
      expect(await create({ categoryIds: [guides, 'nope'] })).toEqual({
        kind: 'unknown-item',
        list: 'categories',
        index: 1,
      })
      expect(await create({ tagIds: ['nope'] })).toEqual({ kind: 'unknown-item', list: 'tags', index: 0 })
    })

    test('a category named twice counts once', async () => {
      const { store, site, seeded, createdId } = await open()
      const guides = seeded.categories['guides'] ?? ''
      const id = await createdId({ categoryIds: [guides, guides] })
      expect((await readRecord(store, site, id))?.categories).toHaveLength(1)
    })

    test('another site sees nothing of it', async () => {
      const { store, createdId } = await open()
      const id = await createdId()
      expect(await store.readArticle('another', id)).toEqual({ kind: 'unknown' })
      expect(await store.deleteArticle('another', id, LATER)).toEqual({ kind: 'unknown' })
    })
  })

  describe(`${title}: many at once`, () => {
    test('the article limit holds, and a deleted article makes room', async () => {
      const { store, site, create } = await open({ articleLimit: 5 })
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => create({ slug: `s${n}`, reviewDate: NOW })),
      )
      expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(5)
      expect(outcomes.at(-1)).toEqual({ kind: 'limit-reached', limit: 5 })
      const [first] = await store.listReviewDates(site, FROM_START)
      await store.deleteArticle(site, first?.id ?? '', LATER)
      expect((await create({ slug: 'again' })).kind).toBe('created')
      expect((await create({ slug: 'and-again' })).kind).toBe('limit-reached')
    })

    test('of those that want one slug, one gets it, and the others take nothing with them', async () => {
      const { store, site, create } = await open()
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          create({ slug: n % 3 === 0 ? 'same' : `s${n}`, reviewDate: NOW }),
        ),
      )
      expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(21)
      expect(await store.listReviewDates(site, FROM_START)).toHaveLength(21)
    })

    test('a link of more than 8 KB, as older programs have stored them, is not listed', async () => {
      const { store, site, createdId } = await open()
      const longest = 'é'.repeat(4096)
      await createdId({ links: linksTo('first', longest, `${longest}x`, 'last') })
      const page = await store.listLinks(site, ALL_LINKS)
      expect(page.map(({ url }) => url)).toEqual(['first', longest, 'last'])
    })

    test('lists come in pages that neither repeat nor skip', async () => {
      const { store, site, createdId } = await open()
      await createdId({ links: linksTo(...Array.from({ length: 70 }, (_, n) => `link-${n}`)) })
      const urls: string[] = []
      let after = 0
      for (;;) {
        const page = await store.listLinks(site, { after, limit: 32 })
        urls.push(...page.map(({ url }) => url))
        if (page.length < 32) break
        after = page.at(-1)?.number ?? 0
      }
      expect(urls).toEqual(Array.from({ length: 70 }, (_, n) => `link-${n}`))
    })
  })

  describe(`${title}: categories and tags`, () => {
    const change = {
      name: 'Guides',
      slug: 'guides',
      priority: 1,
      parentId: undefined,
      description: undefined,
      longDescription: undefined,
      thumbnailUrl: undefined,
      iconUrl: undefined,
      language: 'en',
      editedBy: null,
      now: LATER,
    }

    test('an update keeps what it leaves out', async () => {
      const { store, site, seeded } = await open()
      const accounts = seeded.categories['accounts'] ?? ''
      await store.updateCategory(site, accounts, { ...change, name: 'Access', slug: 'access' })
      const listed = (await store.listCategories(site, ALL)).find(({ id }) => id === accounts)
      expect([listed?.name, listed?.parentName]).toEqual(['Access', 'Guides'])
      await store.updateCategory(site, accounts, {
        ...change,
        name: 'Access',
        slug: 'access',
        parentId: null,
      })
      const orphan = (await store.listCategories(site, ALL)).find(({ id }) => id === accounts)
      expect(orphan?.parentName).toBe('')
    })

    test('a category cannot come below itself', async () => {
      const { store, site, seeded } = await open()
      const [guides, accounts] = [seeded.categories['guides'] ?? '', seeded.categories['accounts'] ?? '']
      for (const parentId of [guides, accounts]) {
        expect(await store.updateCategory(site, guides, { ...change, parentId })).toEqual({
          kind: 'own-ancestor',
        })
      }
      expect(await store.updateCategory(site, guides, { ...change, parentId: 'nope' })).toEqual({
        kind: 'unknown-parent',
      })
    })

    test('another enabled language makes a translation once, then updates it', async () => {
      const { store, site, seeded } = await open({ languages: ['en', 'fr'] })
      const guides = seeded.categories['guides'] ?? ''
      for (const name of ['Guide', 'Manuels']) {
        expect(await store.updateCategory(site, guides, { ...change, name, language: 'fr' })).toEqual({
          kind: 'updated',
        })
      }
      const listed = await store.listCategories(site, ALL)
      expect(listed.map((record) => [record.name, record.translations])).toEqual([
        ['Guides', ['fr']],
        ['Accounts', []],
      ])
    })

    test('a refused update says why', async () => {
      const { store, site, seeded } = await open()
      const guides = seeded.categories['guides'] ?? ''
      const attempts = [
        store.updateCategory(site, 'nope', change),
        store.updateCategory(site, guides, { ...change, language: 'xx' }),
        store.updateCategory(site, guides, { ...change, slug: 'accounts' }),
        store.updateTag(site, 'nope', change),
      ]
      expect(await Promise.all(attempts)).toEqual([
        { kind: 'unknown' },
        { kind: 'unknown-language', languages: ['en'] },
        { kind: 'slug-taken', by: 'Accounts' },
        { kind: 'unknown' },
      ])
    })

    test('the seed finds what is there by slug, else by name among siblings, and changes nothing', async () => {
      const { store, site, seeded } = await open()
      const before = await store.revision()
      const again = await store.seed(
        site,
        {
          categories: [
            { name: 'Guides, renamed', slug: 'guides', priority: 9 },
            { name: 'Accounts', slug: 'other-slug', parent: 'guides' },
          ],
          tags: [{ name: 'Security', slug: 'other-slug' }],
        },
        LATER,
      )
      expect(again).toEqual({
        categories: { guides: seeded.categories['guides'], 'other-slug': seeded.categories['accounts'] },
        tags: { 'other-slug': seeded.tags['security'] },
        created: { categories: [], tags: [] },
      })
      expect(await store.revision()).toBe(before)
    })
  })

  describe(`${title}: changes and reopening`, () => {
    test('the revision rises with a change, and neither with a refusal nor with a start', async () => {
      const { home, store, create } = await open()
      const before = await store.revision()
      await create()
      const changed = await store.revision()
      await create()
      const again = await home.open()
      onTestFinished(() => again.close())
      expect(changed).toBeGreaterThan(before)
      expect(await again.revision()).toBe(changed)
    })

    test('what was acknowledged is there after reopening', async () => {
      const { home, store, site, createdId } = await open()
      const id = await createdId()
      await store.close()
      const again = await home.open()
      onTestFinished(() => again.close())
      expect(again.defaultSiteId).toBe(site)
      expect((await readRecord(again, site, id))?.name).toBe('One')
    })

    test('the languages of the latest start come first', async () => {
      const { home, store, site } = await open({ languages: ['en', 'fr'] })
      expect(await store.siteSettings(site)).toEqual({ languages: ['en', 'fr'], articleLimit: 1000 })
      const again = await home.open({ languages: ['de'], articleLimit: 7 })
      onTestFinished(() => again.close())
      expect(await again.siteSettings(site)).toEqual({ languages: ['de', 'fr'], articleLimit: 7 })
    })
  })
}
