import { describe, expect, test } from 'vitest'
import { ALL_LINKS, LATER, linksTo, NOW, openFixture, readRecord, type StoreHome } from './store-fixture.ts'

/** The requirements of every store for updates in place. */
export function describeUpdates(title: string, createHome: () => Promise<StoreHome>): void {
  const open = openFixture(createHome)

  describe(`${title}: updates in place`, () => {
    test('id, creation and translations stay, the edit date changes', async () => {
      const { store, site, createdId, update, seeded } = await open({ languages: ['en', 'fr'] })
      const id = await createdId({ reviewDate: NOW })
      const french = await createdId({ language: 'fr', languageParent: id })
      const accounts = seeded.categories['accounts'] ?? ''
      expect(
        await update(id, { title: 'Two', slug: 'two', categoryIds: [accounts], status: 'draft' }),
      ).toEqual({ kind: 'updated' })
      expect(await readRecord(store, site, id)).toMatchObject({
        id,
        name: 'Two',
        slug: 'two',
        status: 'draft',
        createdDate: NOW,
        editedDate: LATER,
        categories: [{ itemName: 'Accounts' }],
      })
      expect((await readRecord(store, site, french))?.languageParent).toBe(id)
    })

    test('the edit date changes even if the clock does not', async () => {
      const { store, site, createdId, update } = await open()
      const id = await createdId()
      for (const edited of ['2026-03-01T10:00:00.001Z', '2026-03-01T10:00:00.002Z']) {
        await update(id, { now: NOW })
        expect((await readRecord(store, site, id))?.editedDate).toBe(edited)
      }
    })

    test('an omitted field keeps its value, and an empty one is cleared', async () => {
      const { store, site, createdId, update, seeded } = await open({ languages: ['en', 'fr'] })
      const tagIds = [seeded.tags['security'] ?? '']
      const original = await createdId({ slug: 'original' })
      const optional = { tagIds, hideFromSearch: true, seoBannerUrl: 'https://x/', reviewDate: NOW }
      const id = await createdId({ ...optional, language: 'fr', languageParent: original })
      const read = async () => {
        const record = await readRecord(store, site, id)
        const { hideFromSearch, seoBannerUrl, reviewDate, language, languageParent, tags } = record ?? {}
        return { hideFromSearch, seoBannerUrl, reviewDate, language, languageParent, tags: tags?.length }
      }
      const kept = {
        hideFromSearch: true,
        seoBannerUrl: 'https://x/',
        reviewDate: NOW,
        language: 'fr',
        languageParent: original,
        tags: 1,
      }
      await update(id)
      expect(await read()).toEqual(kept)
      const empty = { tagIds: [], hideFromSearch: false, seoBannerUrl: '', reviewDate: null }
      await update(id, { ...empty, languageParent: null })
      expect(await read()).toEqual({
        hideFromSearch: false,
        seoBannerUrl: '',
        reviewDate: '',
        language: 'fr',
        languageParent: null,
        tags: 0,
      })
    })

    test('unchanged relations and links keep their ids', async () => {
      const { store, site, createdId, update, seeded } = await open()
      const [guides, accounts] = [seeded.categories['guides'] ?? '', seeded.categories['accounts'] ?? '']
      const id = await createdId({ content: linksTo('a', 'b') })
      const before = await readRecord(store, site, id)
      const [, linkB] = await store.listLinks(site, ALL_LINKS)
      await update(id, { categoryIds: [accounts, guides], content: linksTo('b', 'c') })
      const after = await readRecord(store, site, id)
      expect(after?.categories).toContainEqual(before?.categories[0])
      expect(after?.categories.map(({ itemName }) => itemName).toSorted()).toEqual(['Accounts', 'Guides'])
      const links = await store.listLinks(site, ALL_LINKS)
      expect(links).toEqual([linkB, expect.objectContaining({ url: 'c', createdDate: LATER })])
    })

    test('a rejected update changes nothing', async () => {
      const { store, site, createdId, update } = await open()
      await createdId({ slug: 'two', title: 'Two' })
      const id = await createdId()
      const [before, revision] = [await readRecord(store, site, id), await store.revision()]
      expect(await update(id, { slug: 'two', title: 'Changed' })).toEqual({ kind: 'slug-taken', by: 'Two' })
      expect(await update(id, { tagIds: ['nope'] })).toMatchObject({ kind: 'unknown-item', list: 'tags' })
      expect(await update('nope')).toEqual({ kind: 'unknown' })
      expect(await readRecord(store, site, id)).toEqual(before)
      expect(await store.revision()).toBe(revision)
    })

    test('drafts and published articles are paired by slug, and separate when it changes', async () => {
      const { store, site, createdId, update } = await open()
      const published = await createdId()
      const draft = await createdId({ status: 'draft', slug: 'two' })
      const pair = async () => [
        (await readRecord(store, site, published))?.draftId,
        (await readRecord(store, site, draft))?.articleParent,
      ]
      await update(draft, { status: 'draft' })
      expect(await pair()).toEqual([draft, published])
      await update(published, { title: 'Edited' })
      expect(await pair()).toEqual([draft, published])
      await update(published, { slug: 'three' })
      expect(await pair()).toEqual(['', ''])
      await update(published)
      expect(await pair()).toEqual([draft, published])
      expect(await update(draft, { status: 'published' })).toEqual({ kind: 'slug-taken', by: 'One' })
    })

    test('another site cannot change it', async () => {
      const { store, draft, createdId } = await open()
      const id = await createdId()
      expect(await store.updateArticle('another', id, draft())).toEqual({ kind: 'unknown' })
    })
  })
}
