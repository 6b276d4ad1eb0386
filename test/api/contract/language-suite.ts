import { describe, expect, test } from 'vitest'
import { ALL, FROM_START, LATER, openFixture, readRecord, type StoreHome } from './store-fixture.ts'

const LANGUAGES = { languages: ['en', 'fr', 'de'] }

/** The requirements of every store for languages. */
export function describeLanguages(title: string, createHome: () => Promise<StoreHome>): void {
  const open = openFixture(createHome)

  describe(`${title}: articles in several languages`, () => {
    test('a translation has its language and its original; the default language is null', async () => {
      const { store, site, createdId } = await open(LANGUAGES)
      const original = await createdId({ language: 'en' })
      const translation = await createdId({ title: 'Un', language: 'fr', languageParent: original })
      const place = async (id: string) => {
        const record = await readRecord(store, site, id)
        return [record?.name, record?.slug, record?.language, record?.languageParent]
      }
      expect(await place(original)).toEqual(['One', 'one', null, null])
      expect(await place(translation)).toEqual(['Un', 'one', 'fr', original])
    })

    test('every language is found from any article of the family; a missing one is a copy of the original', async () => {
      const { store, site, createdId } = await open(LANGUAGES)
      const original = await createdId()
      await createdId({ status: 'draft', title: 'Brouillon', language: 'fr', languageParent: original })
      const french = await createdId({ title: 'Un', language: 'fr', languageParent: original })
      for (const id of [original, french]) {
        const read = (language: string) => store.readArticle(site, id, language)
        expect(await read('en')).toMatchObject({ isCopy: false, record: { id: original, name: 'One' } })
        expect(await read('fr')).toMatchObject({ isCopy: false, record: { id: french, name: 'Un' } })
        expect(await read('de')).toMatchObject({
          isCopy: true,
          record: { id: original, name: 'One', language: 'de', languageParent: original, draftId: '' },
        })
        expect(await read('xx')).toEqual({ kind: 'unknown-language', languages: ['en', 'fr', 'de'] })
      }
    })

    test('invalid references are rejected with a reason', async () => {
      const { createdId, create } = await open(LANGUAGES)
      const original = await createdId()
      const french = await createdId({ language: 'fr', languageParent: original })
      const attempts = [
        { language: 'xx' },
        { language: 'de', languageParent: 'nope' },
        { language: 'de', languageParent: french },
        { languageParent: original, slug: 'two' },
        { language: 'fr', languageParent: original, slug: 'two', title: 'Encore' },
        { language: 'fr' },
      ]
      const outcomes = []
      for (const changes of attempts) outcomes.push(await create(changes))
      expect(outcomes).toEqual([
        { kind: 'unknown-language', languages: ['en', 'fr', 'de'] },
        { kind: 'unknown-language-parent' },
        { kind: 'parent-is-translation', originalId: original },
        { kind: 'language-of-original' },
        { kind: 'translation-exists', language: 'fr', by: 'One' },
        { kind: 'slug-taken', by: 'One' },
      ])
    })

    test('an article can neither translate itself nor become a translation while it has some', async () => {
      const { createdId, update } = await open(LANGUAGES)
      const original = await createdId()
      await createdId({ language: 'fr', languageParent: original })
      const other = await createdId({ slug: 'two' })
      expect(await update(original, { languageParent: original })).toEqual({ kind: 'own-language-parent' })
      expect(await update(original, { language: 'de', languageParent: other })).toEqual({
        kind: 'has-translations',
      })
      expect(await update(original, { language: 'fr', slug: 'three' })).toEqual({
        kind: 'translation-exists',
        language: 'fr',
        by: 'One',
      })
    })

    test('a published translation can have a draft', async () => {
      const { store, site, createdId } = await open(LANGUAGES)
      const original = await createdId()
      const french = { language: 'fr', languageParent: original }
      const published = await createdId(french)
      const draft = await createdId({ ...french, status: 'draft' })
      expect((await readRecord(store, site, published))?.draftId).toBe(draft)
      expect((await readRecord(store, site, original))?.draftId).toBe('')
    })

    test('a draft of a translation has its slug, or is a second translation', async () => {
      const { create, createdId, update } = await open(LANGUAGES)
      const original = await createdId()
      const french = { language: 'fr', languageParent: original } as const
      await createdId({ ...french, slug: 'un', title: 'Un' })
      const second = { kind: 'translation-exists', language: 'fr', by: 'Un' }
      expect(await create({ ...french, slug: 'deux', status: 'draft' })).toEqual(second)
      const alone = await createdId({ language: 'fr', slug: 'deux', status: 'draft' })
      expect(await update(alone, { ...french, slug: 'deux', status: 'draft' })).toEqual(second)
      const draft = await createdId({ ...french, slug: 'un', status: 'draft' })
      // The pair separates when one of them changes its slug; both keep their status.
      expect(await update(draft, { slug: 'trois', status: 'draft' })).toEqual({ kind: 'updated' })
    })

    test('the draft of a published article is not an original: it shares the translations of that one', async () => {
      const { store, site, create, createdId } = await open(LANGUAGES)
      const published = await createdId()
      const draft = await createdId({ status: 'draft' })
      const french = await createdId({ language: 'fr', languageParent: published })
      expect(await create({ language: 'de', languageParent: draft })).toEqual({
        kind: 'parent-is-draft',
        publishedId: published,
      })
      expect(await store.readArticle(site, draft, 'fr')).toMatchObject({
        isCopy: false,
        record: { id: french },
      })
      expect(await store.readArticle(site, draft, 'de')).toMatchObject({
        isCopy: true,
        record: { id: draft, languageParent: draft },
      })
    })

    test('deleting an original leaves its translations without parent', async () => {
      const { store, site, createdId } = await open(LANGUAGES)
      const original = await createdId()
      const french = await createdId({ language: 'fr', languageParent: original })
      await store.deleteArticle(site, original, LATER)
      const left = await readRecord(store, site, french)
      expect([left?.language, left?.languageParent]).toEqual(['fr', null])
    })

    test('review dates include articles in every language, the earliest date first', async () => {
      const { store, site, createdId } = await open(LANGUAGES)
      const [late, early] = ['2027-05-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z']
      const original = await createdId({ reviewDate: late })
      await createdId({ language: 'fr', languageParent: original, reviewDate: early, title: 'Un' })
      await createdId({ slug: 'two', title: 'Two', reviewDate: early })
      await createdId({ slug: 'three', title: 'Never' })
      const listed = await store.listReviewDates(site, FROM_START)
      expect(listed.map(({ name, language, reviewDate }) => [name, language, reviewDate])).toEqual([
        ['Un', 'fr', early],
        ['Two', null, early],
        ['One', null, late],
      ])
      const [first, second] = listed
      const after = { date: first?.reviewDate ?? '', id: first?.id ?? '' }
      expect(await store.listReviewDates(site, { after, limit: 1 })).toEqual([second])
    })
  })

  describe(`${title}: tags in several languages`, () => {
    const change = {
      name: 'Sécurité',
      slug: 'securite',
      description: undefined,
      longDescription: undefined,
      language: 'fr',
      editedBy: null,
      now: '2026-03-02T10:00:00.000Z',
    }

    test('a tag is read in a language, or as a copy until it is translated', async () => {
      const { store, site, seeded } = await open(LANGUAGES)
      const id = seeded.tags['security'] ?? ''
      expect(await store.readTag(site, id, 'fr')).toMatchObject({
        isCopy: true,
        record: { id, name: 'Security', language: 'fr', languageParent: id },
      })
      await store.updateTag(site, id, change)
      const french = await store.readTag(site, id, 'fr')
      expect(french).toMatchObject({
        isCopy: false,
        record: { name: 'Sécurité', language: 'fr', languageParent: id },
      })
      const frenchId = french.kind === 'found' ? french.record.id : ''
      expect(await store.readTag(site, frenchId, 'en')).toMatchObject({ isCopy: false, record: { id } })
      expect(await store.readTag(site, id)).toMatchObject({ isCopy: false, record: { id, language: null } })
      expect(await store.readTag(site, id, 'xx')).toMatchObject({ kind: 'unknown-language' })
    })

    test('the category list contains originals, with the languages of their translations', async () => {
      const { store, site, seeded } = await open(LANGUAGES)
      const guides = seeded.categories['guides'] ?? ''
      const place = { priority: 1, parentId: undefined, thumbnailUrl: undefined, iconUrl: undefined }
      for (const language of ['fr', 'de']) {
        await store.updateCategory(site, guides, { ...change, ...place, slug: `g-${language}`, language })
      }
      const listed = await store.listCategories(site, ALL)
      expect(listed.map(({ name, translations }) => [name, translations])).toEqual([
        ['Guides', ['de', 'fr']],
        ['Accounts', []],
      ])
    })
  })
}
