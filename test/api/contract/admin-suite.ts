// The requirements of administration for every database. The service's store is open on the same database, and changes
// apply there at once.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AdminStore } from '../../../src/server/store/admin/open-admin-store.ts'
import type { Store } from '../../../src/server/store/open-store.ts'
import { linksTo, LATER, NOW, openFixture, type StoreHome } from './store-fixture.ts'

export interface AdminHome extends StoreHome {
  openAdmin(): Promise<AdminStore>
}

const ANNA = { username: 'anna', first_name: 'Anna', last_name: 'Ash', email_address: 'anna@example.com' }
const BOB = { username: 'bob', first_name: '', last_name: '', email_address: '' }
const HASH = 'abcdef0123456789'.repeat(4)
const OTHER_HASH = '0123456789abcdef'.repeat(4)

/** `createHome` gives each test an empty database. */
export function describeAdministration(title: string, createHome: () => Promise<AdminHome>): void {
  const openStoreIn = async (options: Parameters<StoreHome['open']>[0] = {}) => {
    let home: AdminHome | undefined
    const opened = await openFixture(async () => (home = await createHome()))(options)
    if (home === undefined) throw new Error('There is no home')
    const admin = await home.openAdmin()
    onTestFinished(() => admin.close())
    return { ...opened, home, admin }
  }
  const addSite = (admin: AdminStore, name: string, articleLimit: number | null = null) =>
    admin.sites.add({ name, languages: ['fr', 'de'], articleLimit, now: NOW })

  describe(`${title}: sites`, () => {
    test('a site is added, listed, renamed and removed', async () => {
      const { admin, site } = await openStoreIn()
      const added = await addSite(admin, 'docs', 7)
      const docs = {
        id: added.id,
        name: 'docs',
        isDefault: false,
        languages: ['fr', 'de'],
        articleLimit: 7,
        articles: 0,
        users: 0,
        keys: 0,
        createdDate: NOW,
      }
      const own = {
        ...docs,
        id: site,
        name: 'default',
        isDefault: true,
        languages: ['en'],
        articleLimit: null,
      }
      expect(added).toEqual(docs)
      expect(await admin.sites.list()).toEqual([own, docs])
      await admin.sites.rename('docs', 'handbook')
      expect(await admin.sites.find('handbook')).toEqual({ ...docs, name: 'handbook' })
      await admin.sites.remove('handbook')
      expect(await admin.sites.list()).toEqual([own])
    })

    test('names are unique, and for an unknown one a similar one is suggested', async () => {
      const { admin } = await openStoreIn()
      await addSite(admin, 'docs')
      await expect(addSite(admin, 'docs')).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
      await expect(admin.sites.rename('docs', 'default')).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
      for (const act of [
        () => admin.sites.find('doc'),
        () => admin.sites.remove('doc'),
        () => admin.sites.rename('doc', 'x'),
      ])
        await expect(act()).rejects.toMatchObject({ code: 'ITEM_UNKNOWN', hint: 'Did you mean "docs"?' })
    })

    test('the default site is neither renamed nor removed', async () => {
      const { admin, site } = await openStoreIn()
      for (const act of [() => admin.sites.remove('default'), () => admin.sites.rename('default', 'main')])
        await expect(act()).rejects.toMatchObject({ code: 'ITEM_IN_USE' })
      expect((await admin.sites.find('default')).id).toBe(site)
    })

    test('the contents of a site are separate from others', async () => {
      const { admin, store, site, create, draft } = await openStoreIn()
      const docs = await addSite(admin, 'docs')
      const seeded = await store.seed(docs.id, { categories: [{ name: 'Guides', slug: 'guides' }] }, NOW)
      const user = await admin.users.add(docs.id, ANNA)
      await admin.keys.add(keyOf(docs.id, user.id))
      await create()
      const theirs = draft({
        categoryIds: [seeded.categories['guides'] ?? ''],
        content: linksTo('https://example.com'),
        writtenBy: user.id,
      })
      expect(await store.createArticle(docs.id, theirs)).toMatchObject({ kind: 'created' })
      expect(await admin.sites.find('docs')).toMatchObject({ articles: 1, users: 1, keys: 1 })
      await admin.sites.remove('docs')
      expect(await store.findApiKey(HASH, NOW)).toBeUndefined()
      expect(await store.listCategories(docs.id, { after: '', limit: 10 })).toEqual([])
      expect(await store.listLinks(docs.id, { after: 0, limit: 10 })).toEqual([])
      expect(await admin.sites.find('default')).toMatchObject({ id: site, articles: 1 })
      expect((await store.listCategories(site, { after: '', limit: 10 })).map(({ name }) => name)).toEqual([
        'Guides',
        'Accounts',
      ])
    })

    test("a site's own limit overrides the general one, and may be lower than its number of articles", async () => {
      const { admin, store, site, create } = await openStoreIn({ articleLimit: 2 })
      await create()
      await admin.sites.setLimit(site, 1)
      expect((await store.siteSettings(site)).articleLimit).toBe(1)
      expect(await create({ slug: 'two' })).toEqual({ kind: 'limit-reached', limit: 1 })
      await admin.sites.setLimit(site, null)
      expect((await store.siteSettings(site)).articleLimit).toBe(2)
      expect(await create({ slug: 'two' })).toMatchObject({ kind: 'created' })
      expect(await create({ slug: 'three' })).toEqual({ kind: 'limit-reached', limit: 2 })
      expect((await admin.sites.find('default')).articles).toBe(2)
    })
  })

  describe(`${title}: users and keys`, () => {
    test('a user is added, changed and found by name', async () => {
      const { admin, site } = await openStoreIn()
      const added = await admin.users.add(site, ANNA)
      expect(added).toEqual({ ...ANNA, id: added.id, keys: 0 })
      await admin.users.add(site, BOB)
      const changed = { ...ANNA, username: 'ann', last_name: '' }
      await admin.users.update(site, 'anna', { username: 'ann', last_name: '' })
      expect(await admin.users.list(site)).toEqual([
        { ...changed, id: added.id, keys: 0 },
        { ...BOB, id: expect.any(String), keys: 0 },
      ])
      await expect(admin.users.add(site, BOB)).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
      await expect(admin.users.update(site, 'bob', { username: 'ann' })).rejects.toMatchObject({
        code: 'ITEM_EXISTS',
      })
      await expect(admin.users.find(site, 'anna')).rejects.toMatchObject({
        code: 'ITEM_UNKNOWN',
        hint: 'Did you mean "ann"?',
      })
    })

    test('users and keys of one site are unknown in another', async () => {
      const { admin, site } = await openStoreIn()
      const docs = await addSite(admin, 'docs')
      const user = await admin.users.add(docs.id, ANNA)
      await admin.keys.add(keyOf(docs.id, user.id))
      expect(await admin.users.list(site)).toEqual([])
      expect(await admin.keys.list(site)).toEqual([])
      const acts = [
        () => admin.users.remove(site, 'anna', NOW),
        () => admin.users.update(site, 'anna', { last_name: '' }),
        () => admin.keys.revoke(site, HASH.slice(0, 12), NOW),
      ]
      for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'ITEM_UNKNOWN' })
      expect(await admin.users.add(site, ANNA)).toMatchObject({ username: 'anna' })
    })

    test('a key gives access to its site until it is revoked', async () => {
      const { admin, store, site } = await openStoreIn()
      const user = await admin.users.add(site, ANNA)
      await admin.keys.add({ ...keyOf(site, user.id), readOnly: true })
      expect(await store.findApiKey(HASH, NOW)).toEqual({
        siteId: site,
        userId: user.id,
        readOnly: true,
        expiresAt: null,
      })
      const id = HASH.slice(0, 12)
      const key = {
        id,
        label: 'CI',
        username: 'anna',
        readOnly: true,
        createdDate: NOW,
        revokedAt: null,
        expiresAt: null,
      }
      expect(await admin.keys.list(site)).toEqual([key])
      expect((await admin.users.find(site, 'anna')).keys).toBe(1)
      await admin.keys.revoke(site, id, LATER)
      expect(await store.findApiKey(HASH, NOW)).toBeUndefined()
      await admin.keys.revoke(site, id, '2030-01-01T00:00:00.000Z')
      expect(await admin.keys.find(site, id)).toEqual({ ...key, revokedAt: LATER })
      expect((await admin.users.find(site, 'anna')).keys).toBe(0)
    })

    test('a key gives access to its site until it expires', async () => {
      const { admin, store, site } = await openStoreIn()
      const user = await admin.users.add(site, ANNA)
      await admin.keys.add({ ...keyOf(site, user.id), expiresAt: LATER })
      const justBefore = new Date(Date.parse(LATER) - 1).toISOString()
      expect(await store.findApiKey(HASH, justBefore)).toMatchObject({ userId: user.id })
      expect(await store.findApiKey(HASH, LATER)).toBeUndefined()
      expect(await admin.keys.list(site)).toMatchObject([{ expiresAt: LATER, revokedAt: null }])
    })

    test("removing a user revokes the keys, and the user's items stay", async () => {
      const { admin, store, site, create } = await openStoreIn()
      const [anna, bob] = [await admin.users.add(site, ANNA), await admin.users.add(site, BOB)]
      await admin.keys.add(keyOf(site, anna.id))
      await admin.keys.add({ ...keyOf(site, bob.id), hash: OTHER_HASH })
      await create({ writtenBy: anna.id, reviewDate: LATER })
      await admin.users.remove(site, 'anna', LATER)
      expect(await store.findApiKey(HASH, NOW)).toBeUndefined()
      expect(await store.findApiKey(OTHER_HASH, NOW)).toMatchObject({ userId: bob.id })
      expect(await admin.keys.find(site, HASH.slice(0, 12))).toMatchObject({
        username: null,
        revokedAt: LATER,
      })
      const [entry] = await store.listReviewDates(site, { after: { date: '', id: '' }, limit: 2 })
      expect(entry?.creator).toEqual({ username: '', first_name: '', last_name: '', email_address: '' })
    })
  })

  describe(`${title}: languages`, () => {
    test('a language is added at the end and removed if it has no items', async () => {
      const { admin, store, site, createdId } = await openStoreIn({ languages: ['en'] })
      await admin.languages.add(site, 'fr')
      await admin.languages.add(site, 'de')
      expect((await store.siteSettings(site)).languages).toEqual(['en', 'fr', 'de'])
      const original = await createdId()
      await createdId({ slug: 'un', language: 'fr', languageParent: original })
      expect(await admin.languages.list(site)).toEqual([
        { code: 'en', isDefault: true, articles: 1, categories: 2, tags: 1 },
        { code: 'fr', isDefault: false, articles: 1, categories: 0, tags: 0 },
        { code: 'de', isDefault: false, articles: 0, categories: 0, tags: 0 },
      ])
      await expect(admin.languages.remove(site, 'fr')).rejects.toMatchObject({
        code: 'ITEM_IN_USE',
        message: 'The language "fr" is used by 1 article. Nothing was changed.',
      })
      await expect(admin.languages.remove(site, 'en')).rejects.toMatchObject({ code: 'ITEM_IN_USE' })
      await expect(admin.languages.remove(site, 'it')).rejects.toMatchObject({ code: 'ITEM_UNKNOWN' })
      await expect(admin.languages.add(site, 'FR')).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
      await admin.languages.remove(site, 'de')
      expect((await store.siteSettings(site)).languages).toEqual(['en', 'fr'])
    })

    test('a start puts its languages first and keeps added ones', async () => {
      const { admin, home, store, site } = await openStoreIn({ languages: ['en'] })
      await admin.languages.add(site, 'fr')
      const restart = async (languages: readonly string[]) => {
        const again = await home.open({ languages })
        onTestFinished(() => again.close())
        return (await again.siteSettings(site)).languages
      }
      const before = await store.revision()
      expect(await restart(['en'])).toEqual(['en', 'fr'])
      expect(await store.revision()).toBe(before)
      expect(await restart(['en', 'de'])).toEqual(['en', 'de', 'fr'])
      expect(await restart(['en'])).toEqual(['en', 'de', 'fr'])
    })

    test('another default language replaces the first if no items are affected', async () => {
      const { home } = await openStoreIn({ languages: ['en', 'fr'] })
      const again = await home.open({ languages: ['de'] })
      onTestFinished(() => again.close())
      // Items without a code were written in the language that is now called "de"; none can stay under "en".
      expect((await again.siteSettings(again.defaultSiteId)).languages).toEqual(['de', 'fr'])
    })

    test('a default language that would change the meaning of stored items is rejected', async () => {
      const { home, store, site, createdId } = await openStoreIn({ languages: ['en', 'fr'] })
      const before = await store.revision()
      await expect(home.open({ languages: ['fr', 'en'] })).rejects.toMatchObject({
        code: 'ITEM_IN_USE',
        message: expect.stringContaining('2 categories and 1 tag stored as "en", which stays enabled'),
      })
      expect(await store.revision()).toBe(before)
      const original = await createdId()
      await createdId({ slug: 'un', language: 'fr', languageParent: original })
      await expect(home.open({ languages: ['fr'] })).rejects.toMatchObject({
        code: 'ITEM_IN_USE',
        message: expect.stringContaining('1 article stored as "fr"'),
      })
      expect((await store.siteSettings(site)).languages).toEqual(['en', 'fr'])
    })
  })

  describe(`${title}: categories and tags`, () => {
    const GUIDE = { name: 'Reference', slug: 'reference', description: 'Lists', now: NOW }

    test('a category is added below another, changed, and removed from its articles', async () => {
      const { admin, store, site, seeded, createdId, create } = await openStoreIn({ languages: ['en', 'fr'] })
      const guides = seeded.categories['guides'] ?? ''
      const id = await admin.categories.add(site, { ...GUIDE, parentId: guides, priority: 4 })
      const fresh = {
        id,
        name: 'Reference',
        slug: 'reference',
        language: 'en',
        description: 'Lists',
        articles: 0,
        translations: [],
        parentId: guides,
        priority: 4,
      }
      const find = async () => (await admin.categories.list(site)).find((item) => item.id === id)
      expect(await find()).toEqual(fresh)
      await admin.categories.update(site, id, { name: 'Lists', parentId: null, now: LATER })
      expect(await find()).toEqual({ ...fresh, name: 'Lists', parentId: null })
      await translate(store, site, id)
      const article = await createdId({ categoryIds: [id, guides] })
      await create({ slug: 'two', categoryIds: [id] })
      const translations = [expect.objectContaining({ language: 'fr', name: 'Listes', slug: 'listes' })]
      expect(await find()).toMatchObject({ articles: 2, translations })
      await admin.categories.remove(site, id)
      expect(await find()).toBeUndefined()
      expect((await admin.languages.list(site))[1]).toMatchObject({ code: 'fr', categories: 0 })
      const read = await store.readArticle(site, article)
      expect(read).toMatchObject({ kind: 'found', record: { categories: [{ itemId: guides }] } })
    })

    test('a category with children is not removed, and none becomes its own ancestor', async () => {
      const { admin, site, seeded } = await openStoreIn()
      const { guides = '', accounts = '' } = seeded.categories
      await expect(admin.categories.remove(site, guides)).rejects.toMatchObject({
        code: 'ITEM_IN_USE',
        message: 'The category is the parent of "Accounts". Nothing was changed.',
      })
      await expect(
        admin.categories.update(site, guides, { parentId: accounts, now: LATER }),
      ).rejects.toMatchObject({ code: 'ITEM_IN_USE' })
    })

    test('a tag is added, changed and removed', async () => {
      const { admin, store, site, createdId } = await openStoreIn()
      const id = await admin.tags.add(site, GUIDE)
      await createdId({ tagIds: [id] })
      await admin.tags.update(site, id, { slug: 'lists', description: '', now: LATER })
      expect((await admin.tags.list(site)).find((tag) => tag.id === id)).toEqual({
        id,
        name: 'Reference',
        slug: 'lists',
        language: 'en',
        description: '',
        articles: 1,
        translations: [],
      })
      const leadsTo = async (slug: string) => {
        const [found] = await store.findMovedTaxa(site, { kind: 'tag', slug, languages: [''] })
        return found?.slugs.get('')
      }
      expect(await leadsTo(GUIDE.slug)).toBe('lists')
      await admin.tags.remove(site, await admin.tags.add(site, { ...GUIDE, name: 'Again' }))
      expect([await leadsTo(GUIDE.slug), await leadsTo('lists')]).toEqual([undefined, 'lists'])
      await admin.tags.remove(site, id)
      expect(await leadsTo('lists')).toBe(undefined)
      expect((await admin.tags.list(site)).map(({ slug }) => slug)).toEqual(['security'])
    })

    test('slugs are unique in a site, but not across sites', async () => {
      const { admin, site, seeded } = await openStoreIn()
      const docs = await addSite(admin, 'docs')
      const tag = { ...GUIDE, slug: 'security' }
      const category = { ...GUIDE, slug: 'guides', parentId: null, priority: 0 }
      for (const act of [
        () => admin.tags.add(site, tag),
        () => admin.categories.add(site, category),
        () =>
          admin.categories.update(site, seeded.categories['accounts'] ?? '', { slug: 'guides', now: NOW }),
      ])
        await expect(act()).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
      await admin.tags.add(docs.id, tag)
      await admin.categories.add(docs.id, category)
      expect((await admin.tags.list(docs.id)).map(({ slug, language }) => [slug, language])).toEqual([
        ['security', 'fr'],
      ])
    })

    test('names of categories are unique among siblings, those of tags in a site', async () => {
      const { admin, site, seeded } = await openStoreIn()
      const docs = await addSite(admin, 'docs')
      const { guides = '', accounts = '' } = seeded.categories
      const category = { ...GUIDE, parentId: null, priority: 0 }
      const top = await admin.categories.add(site, { ...category, name: 'Accounts' })
      const tag = await admin.tags.add(site, GUIDE)
      const security = seeded.tags['security'] ?? ''
      const before = [await admin.categories.list(site), await admin.tags.list(site)]
      for (const act of [
        () => admin.categories.add(site, { ...category, name: 'Guides', slug: 'new' }),
        () => admin.categories.add(site, { ...category, name: 'Accounts', slug: 'new', parentId: guides }),
        () => admin.categories.update(site, top, { name: 'Guides', now: NOW }),
        () => admin.categories.update(site, top, { parentId: guides, now: NOW }),
        () => admin.categories.update(site, accounts, { parentId: null, now: NOW }),
        () => admin.tags.add(site, { ...GUIDE, slug: 'new' }),
        () => admin.tags.update(site, security, { name: 'Reference', now: NOW }),
      ])
        await expect(act()).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
      expect([await admin.categories.list(site), await admin.tags.list(site)]).toEqual(before)
      await admin.categories.update(site, accounts, { name: 'Accounts', slug: 'mine', now: NOW })
      await admin.tags.update(site, tag, { name: 'Reference', slug: 'mine', now: NOW })
      await admin.tags.add(docs.id, GUIDE)
      await admin.categories.add(docs.id, { ...category, name: 'Accounts' })
    })

    test('two names that differ only in the encoding of accents are equal', async () => {
      const { admin, site } = await openStoreIn()
      await admin.tags.add(site, { ...GUIDE, name: 'Caf\u00E9', slug: 'one' })
      await expect(admin.tags.add(site, { ...GUIDE, name: 'Cafe\u0301', slug: 'two' })).rejects.toMatchObject(
        { code: 'ITEM_EXISTS' },
      )
    })

    test('concurrent updates lose nothing of each other', async () => {
      const { admin, site, seeded } = await openStoreIn()
      const [guides, security] = [seeded.categories['guides'] ?? '', seeded.tags['security'] ?? '']
      await Promise.all([
        admin.categories.update(site, guides, { name: 'Manuals', now: NOW }),
        admin.categories.update(site, guides, { slug: 'manuals', now: NOW }),
        admin.categories.update(site, guides, { priority: 7, now: NOW }),
        admin.tags.update(site, security, { name: 'Safety', now: NOW }),
        admin.tags.update(site, security, { slug: 'safety', now: NOW }),
      ])
      const category = (await admin.categories.list(site)).find(({ id }) => id === guides)
      expect(category).toMatchObject({ name: 'Manuals', slug: 'manuals', priority: 7 })
      expect((await admin.tags.list(site))[0]).toMatchObject({ name: 'Safety', slug: 'safety' })
    })

    test('ids of another site are unknown', async () => {
      const { admin, seeded } = await openStoreIn()
      const { id: docs } = await addSite(admin, 'docs')
      const [guides, security] = [seeded.categories['guides'] ?? '', seeded.tags['security'] ?? '']
      for (const act of [
        () => admin.categories.remove(docs, guides),
        () => admin.categories.update(docs, guides, { name: 'X', now: NOW }),
        () => admin.categories.add(docs, { ...GUIDE, parentId: guides, priority: 0 }),
        () => admin.tags.remove(docs, security),
        () => admin.tags.update(docs, security, { name: 'X', now: NOW }),
      ])
        await expect(act()).rejects.toMatchObject({ code: 'ITEM_UNKNOWN' })
    })
  })
}

function keyOf(siteId: string, userId: string) {
  return { hash: HASH, siteId, userId, label: 'CI', readOnly: false, now: NOW }
}

async function translate(store: Store, site: string, id: string): Promise<void> {
  const outcome = await store.updateCategory(site, id, {
    name: 'Listes',
    slug: 'listes',
    priority: 4,
    language: 'fr',
    description: undefined,
    longDescription: undefined,
    parentId: undefined,
    thumbnailUrl: undefined,
    iconUrl: undefined,
    editedBy: null,
    now: LATER,
  })
  expect(outcome).toEqual({ kind: 'updated' })
}
