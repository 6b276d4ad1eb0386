import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Store } from '../../../src/server/store/open-store.ts'
import { ALL_LINKS, LATER, linksTo, openFixture, type StoreHome } from './store-fixture.ts'

/** More than are read at a time. */
const MANY = 230

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`)

const listAll = (store: Store, site: string) => store.listLinks(site, { after: 0, limit: 100_000 })

/** The requirements for links, which are derived after the write of an article, on every database. */
export function describeLinks(title: string, createHome: () => Promise<StoreHome>): void {
  const open = openFixture(createHome)

  describe(`${title}: links`, () => {
    test('only those of the last content are listed, with its date', async () => {
      const { store, site, createdId, update } = await open()
      const id = await createdId({ content: linksTo('a', 'b') })
      await update(id, { content: linksTo('b', 'c') })
      const listed = await store.listLinks(site, ALL_LINKS)
      expect(listed.map(({ url, createdDate }) => [url, createdDate])).toEqual([
        ['b', LATER],
        ['c', LATER],
      ])
      await update(id, { content: linksTo('d') })
      await update(id, { content: linksTo('c', 'b') })
      expect(await store.listLinks(site, ALL_LINKS)).toEqual(listed)
    })

    test('are numbered in the order in which articles were created', async () => {
      const { store, site, createdId } = await open()
      const slugs = names(MANY, 's')
      await Promise.all(slugs.map((slug) => createdId({ slug, content: linksTo(slug, `${slug}/more`) })))
      const listed = await listAll(store, site)
      expect(listed.map(({ url }) => url)).toEqual(slugs.flatMap((slug) => [slug, `${slug}/more`]))
      expect(listed.map(({ number }) => number)).toEqual(
        listed.map(({ number }) => number).toSorted((a, b) => a - b),
      )
    })

    test('a list is complete although a run in the background left links to later writes', async () => {
      const { store, site, createdId } = await open()
      vi.useFakeTimers({ toFake: ['performance'] })
      onTestFinished(() => void vi.useRealTimers())
      const slugs = names(MANY, 's')
      await Promise.all(slugs.map((slug) => createdId({ slug, content: linksTo(slug) })))
      const background = store.catchUpLinks()
      vi.advanceTimersByTime(60_000)
      await createdId({ slug: 'later', content: linksTo('later') })
      const listed = await listAll(store, site)
      expect(listed.map(({ url }) => url)).toEqual([...slugs, 'later'])
      await background
    })

    test('edits and deletions while others are derived', async () => {
      const { store, site, createdId, update } = await open()
      const slugs = names(MANY, 's')
      const ids = await Promise.all(slugs.map((slug) => createdId({ slug, content: linksTo('old', slug) })))
      const listing = store.listLinks(site, ALL_LINKS)
      await Promise.all(
        ids.flatMap((id, n): Promise<unknown>[] => {
          if (n % 3 === 0) return [store.deleteArticle(site, id, LATER)]
          return n % 3 === 1 ? [update(id, { slug: slugs[n] ?? '', content: linksTo('new', 'old') })] : []
        }),
      )
      await listing
      const listed = await listAll(store, site)
      const expected = ids.flatMap((id, n) =>
        n % 3 === 0 ? [] : (n % 3 === 1 ? ['new', 'old'] : ['old', slugs[n]]).map((url) => `${id} ${url}`),
      )
      expect(listed.map(({ articleId, url }) => `${articleId} ${url}`).toSorted()).toEqual(
        expected.toSorted(),
      )
    })

    test('of a process that has ended, and of one that derives them at the same time', async () => {
      const { home, store, site, createdId } = await open()
      const slugs = names(MANY, 's')
      await Promise.all(slugs.map((slug) => createdId({ slug, content: linksTo(slug) })))
      await store.close()
      const others = [await home.open(), await home.open()] as const
      const [first, second] = await Promise.all([listAll(others[0], site), listAll(others[1], site)])
      expect(first.map(({ url }) => url)).toEqual(slugs)
      expect(second).toEqual(first)
      await Promise.all(others.map((other) => other.close()))
    })

    test('stay for the next process if the store is closed before they are derived', async () => {
      const { home, store, site, createdId } = await open()
      await createdId({ content: linksTo('a') })
      const deriving = store.catchUpLinks()
      await store.close()
      await deriving
      const next = await home.open()
      expect((await listAll(next, site)).map(({ url }) => url)).toEqual(['a'])
      await next.close()
    })

    test('of long articles among others; of each, the first 10,000 are listed', async () => {
      const { store, site, createdId } = await open()
      const urls = names(100_000, 'u')
      await createdId({ slug: 'before', content: linksTo('before') })
      // Too long to be read in the transaction, or in one slice.
      await createdId({ slug: 'long', content: linksTo(...urls.slice(0, 5000)) })
      await createdId({ slug: 'longest', content: linksTo(...urls) })
      await createdId({ slug: 'after', content: linksTo('after') })
      expect((await listAll(store, site)).map(({ url }) => url)).toEqual([
        'before',
        ...urls.slice(0, 5000),
        ...urls.slice(0, 10_000),
        'after',
      ])
    })

    test('are derived without raising the revision, and only once', async () => {
      const { store, site, createdId } = await open()
      await createdId({ content: linksTo('a') })
      const revision = await store.revision(site)
      expect(await store.countLinks(site)).toEqual({ links: 1, unchecked: 0 })
      const mark = store.exactMark()
      await store.listLinks(site, ALL_LINKS)
      expect([await store.revision(site), store.exactMark()]).toEqual([revision, mark])
    })
  })
}
