import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CreateOutcome } from '../../../src/server/store/records.ts'
import { readRuns } from '../../support/runs.ts'
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
import { REDIRECTS_START } from '../../../src/server/store/reader-data.ts'

const SEVERAL = { languages: ['en', 'fr', 'de'], articleLimit: 100_000 }

/** A create that may depend on others: `parent` is an article that existed before. */
const anyCreate = fc.record({
  slug: fc.constantFrom('a', 'b', 'c', 'old'),
  status: fc.constantFrom('published' as const, 'draft' as const),
  language: fc.constantFrom(undefined, 'en', 'fr', 'de', 'xx'),
  parent: fc.constantFrom(undefined, undefined, undefined, 'published', 'draft', 'french', 'none'),
  category: fc.constantFrom('guides', 'guides', 'accounts', 'unknown'),
  isTagged: fc.boolean(),
  links: fc.subarray(['https://example.com/1', 'https://example.com/2', '/local']),
  aliases: fc.option(fc.subarray(['alias', 'b', 'other']), { nil: undefined }),
  key: fc.constantFrom(undefined, undefined, 'one', 'two'),
})
type AnyCreate = typeof anyCreate extends fc.Arbitrary<infer Value> ? Value : never

type Fixture = Awaited<ReturnType<ReturnType<typeof openFixture>>>

/** Creates of one round in a store, and their results, without ids. */
async function prepareCreates(fixture: Fixture, drawn: readonly AnyCreate[], round: string) {
  const { store, site, seeded, create, createdId } = fixture
  const slugOf = (slug: string) => `${round}-${slug}`
  const published = await createdId({ slug: slugOf('first') })
  const present: Record<string, string> = {
    published,
    draft: await createdId({ slug: slugOf('old'), status: 'draft' }),
    french: await createdId({ slug: slugOf('first'), language: 'fr', languageParent: published }),
    none: '01900000-0000-7000-8000-000000000000',
  }
  const creates = drawn.map(
    ({ slug, status, language, parent, category, isTagged, links, aliases, key }, index) =>
      () =>
        create({
          title: `${index}`,
          slug: slugOf(slug),
          status,
          language,
          languageParent: parent && present[parent],
          categoryIds: [seeded.categories[category] ?? 'unknown', seeded.categories['guides'] ?? ''],
          tagIds: isTagged ? [seeded.tags['security'] ?? ''] : undefined,
          content: linksTo(...links),
          aliases: aliases?.map(slugOf),
          idempotency: key && { key: slugOf(key), digest: slug },
        }),
  )
  async function outcomeOf(outcomes: readonly CreateOutcome[]) {
    const ids = outcomes.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.id] : []))
    const names = new Map(Object.entries(present).map(([name, id]) => [id, name] as const))
    outcomes.forEach(
      (outcome, index) => outcome.kind === 'created' && names.set(outcome.id, `created ${index}`),
    )
    const all = [...ids, ...Object.values(present)]
    const records = await Promise.all(all.map((id) => readRecord(store, site, id)))
    const links = await store.listLinks(site, { after: 0, limit: 100_000 })
    const redirects = await store.listRedirects(site, REDIRECTS_START, 100_000)
    const text = JSON.stringify({
      outcomes,
      redirects: redirects
        .filter(({ leadsTo }) => names.has(leadsTo.id))
        .map(({ slug, language, leadsTo }) => [slug, language, leadsTo.id]),
      records: records.map((record) => ({
        ...record,
        categories: record?.categories.map(({ itemName }) => itemName).toSorted(),
        tags: record?.tags.map(({ itemName }) => itemName),
      })),
      links: links
        .filter(({ articleId }) => names.has(articleId))
        .map(({ url, articleId, articleName }) => [url, articleId, articleName])
        // Articles of one transaction have changed at the same time, others in the order of their last changes.
        .toSorted(([, one = ''], [, other = '']) => all.indexOf(one) - all.indexOf(other)),
    })
    return JSON.parse(text.replace(/[\da-f]{8}-[\da-f-]{27}/g, (id) => names.get(id) ?? 'unknown')) as unknown
  }
  return { creates, outcomeOf }
}

/** The requirements of every store, on every database. `createHome` gives each test an empty one. */
export function describeStore(title: string, createHome: () => Promise<StoreHome>): void {
  const open = openFixture(createHome)

  describe(`${title}: articles`, () => {
    test('a created article is read completely', async () => {
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

    test('content is read byte for byte', async () => {
      const { store, site, createdId } = await open()
      const content = '\r\n\t<p>é\u0301 🙂 \u2028 \ufeff &amp; " \' \\ \u0001</p>'
      const id = await createdId({ content })
      expect((await readRecord(store, site, id))?.content).toBe(content)
    })

    test('slugs are unique per status', async () => {
      const { create } = await open()
      await create()
      expect(await create({ title: 'Two' })).toEqual({ kind: 'slug-taken', by: 'One' })
    })

    test('concurrent creates have the same result as sequential ones', async () => {
      const together = await open(SEVERAL)
      const inTurn = await open(SEVERAL)
      let round = 0
      const creates = fc.array(anyCreate, { minLength: 2, maxLength: 12 })
      const property = fc.asyncProperty(creates, async (drawn) => {
        round++
        const one = await prepareCreates(together, drawn, `${round}`)
        const other = await prepareCreates(inTurn, drawn, `${round}`)
        const outcomes = await Promise.all(one.creates.map((create) => create()))
        const expected: typeof outcomes = []
        for (const create of other.creates) expected.push(await create())
        expect(await one.outcomeOf(outcomes)).toEqual(await other.outcomeOf(expected))
      })
      await fc.assert(property, readRuns('HISTORIES', 60))
    })

    test('the key of a create gives the same article for a day, while it exists', async () => {
      const { store, site, create } = await open({ articleLimit: 3 })
      const idempotency = { key: 'one', digest: 'a' }
      const first = await create({ idempotency })
      const repeated = { ...first, kind: 'repeated' }
      expect(await create({ idempotency, now: '2026-03-02T09:59:59.000Z' })).toEqual(repeated)
      const other = { key: 'one', digest: 'b' }
      expect(await create({ slug: 'two', idempotency: other })).toEqual({ kind: 'key-reused' })
      expect(
        await create({ slug: 'two', idempotency: other, now: '2026-03-02T10:00:00.001Z' }),
      ).toMatchObject({ kind: 'created' })
      const again = { slug: 'three', idempotency: { key: 'two', digest: 'a' } }
      const third = await create(again)
      if (third.kind !== 'created') throw new Error(third.kind)
      expect(await create(again)).toEqual({ ...third, kind: 'repeated' })
      // The limit does not matter either.
      expect(await create({ slug: 'four' })).toEqual({ kind: 'limit-reached', limit: 3 })
      await store.deleteArticle(site, third.id, LATER)
      expect(await create(again)).toMatchObject({ kind: 'created' })
    })

    test('of concurrent creates, as many succeed as the limit allows', async () => {
      const { create } = await open({ articleLimit: 5 })
      const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => create({ slug: `${n}` })))
      expect(outcomes.map(({ kind }) => kind)).toEqual([
        ...Array.from({ length: 5 }, () => 'created'),
        ...Array.from({ length: 3 }, () => 'limit-reached'),
      ])
    })

    test('a draft is paired with the published article, whichever came first', async () => {
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

    test('deleting a published article leaves its draft as a separate article', async () => {
      const { store, site, createdId } = await open()
      const published = await createdId()
      const draft = await createdId({ status: 'draft' })
      expect(await store.deleteArticle(site, published, LATER)).toEqual({ kind: 'deleted', name: 'One' })
      expect((await readRecord(store, site, draft))?.articleParent).toBe('')
      expect(await store.readArticle(site, published)).toEqual({ kind: 'unknown' })
    })

    test('links and category relations are deleted with their article', async () => {
      const { store, site, createdId } = await open()
      const id = await createdId({ content: linksTo('a', 'b') })
      await store.deleteArticle(site, id, LATER)
      expect(await store.listLinks(site, ALL_LINKS)).toEqual([])
      const categories = await store.listCategories(site, ALL)
      expect(categories.map(({ latest }) => latest)).toEqual([undefined, undefined])
    })

    test('an unknown category or tag is identified by its position', async () => {
      const { create, seeded } = await open()
      const guides = seeded.categories['guides'] ?? ''
      expect(await create({ categoryIds: [guides, 'nope'] })).toEqual({
        kind: 'unknown-item',
        list: 'categories',
        index: 1,
      })
      expect(await create({ tagIds: ['nope'] })).toEqual({ kind: 'unknown-item', list: 'tags', index: 0 })
    })

    test('a duplicate category counts once', async () => {
      const { store, site, seeded, createdId } = await open()
      const guides = seeded.categories['guides'] ?? ''
      const id = await createdId({ categoryIds: [guides, guides] })
      expect((await readRecord(store, site, id))?.categories).toHaveLength(1)
    })

    test('another site cannot see any of it', async () => {
      const { store, createdId } = await open()
      const id = await createdId()
      expect(await store.readArticle('another', id)).toEqual({ kind: 'unknown' })
      expect(await store.deleteArticle('another', id, LATER)).toEqual({ kind: 'unknown' })
    })
  })

  describe(`${title}: many at once`, () => {
    test('the article limit applies, and a deleted article makes room', async () => {
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

    test('of articles with one slug, one gets it, and the others have no effect', async () => {
      const { store, site, create } = await open()
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          create({ slug: n % 3 === 0 ? 'same' : `s${n}`, reviewDate: NOW }),
        ),
      )
      expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(21)
      expect(await store.listReviewDates(site, FROM_START)).toHaveLength(21)
    })

    test('a link of more than 8 KB is not listed', async () => {
      const { store, site, createdId } = await open()
      const longest = 'é'.repeat(4096)
      await createdId({ content: linksTo('first', longest, `${longest}x`, 'last') })
      const page = await store.listLinks(site, ALL_LINKS)
      expect(page.map(({ url }) => url)).toEqual(['first', longest, 'last'])
    })

    test('pages of lists neither repeat nor skip entries', async () => {
      const { store, site, createdId } = await open()
      await createdId({ content: linksTo(...Array.from({ length: 70 }, (_, n) => `link-${n}`)) })
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

    test('an update keeps omitted fields', async () => {
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

    test('a category cannot be its own ancestor', async () => {
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

    test('another enabled language creates a translation once, then updates it', async () => {
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

    test('a rejected update has a reason', async () => {
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

    test('the seed finds existing items by slug, otherwise by name among siblings, and changes nothing', async () => {
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
    test('the revision rises with a change, but not with a rejection or a start', async () => {
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

    test('acknowledged writes exist after reopening', async () => {
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
