import { describe, expect, test } from 'vitest'
import type { LinkCheckResult } from '../../../src/server/store/link-check-data.ts'
import type { Store } from '../../../src/server/store/open-store.ts'
import { ALL_LINKS, LATER, linksTo, NOW, openFixture, type StoreHome } from './store-fixture.ts'

const START = { dueDate: '', target: '' }
const UNTIL = '2026-03-01T10:15:00.000Z'
const TOMORROW = '2026-03-02T10:00:00.000Z'

const [A, B, C, D, E] = ['http://a/', 'http://b/', 'http://c/', 'http://d/', 'http://e/'] as const

/** A link to nothing that can be checked. */
const NONE = 'files/none'

const targetOf = ({ url }: { readonly url: string }) => (url === NONE ? '' : url)

const result = (target: string, changes: Partial<LinkCheckResult> = {}): LinkCheckResult => ({
  target,
  claimedUntil: UNTIL,
  working: false,
  failures: 2,
  status: 404,
  reason: '404 Not Found',
  checkedDate: NOW,
  nextCheckDate: TOMORROW,
  ...changes,
})

interface Opened {
  readonly store: Store
  readonly site: string
}

/** Returns the targets of a site that are due at a moment. */
const due = async ({ store, site }: Opened, now = NOW) =>
  (await store.dueLinks(site, now, START, 100)).map(({ target }) => target)

/** The requirements of the link checker for a store, on every database. */
export function describeLinkChecks(title: string, createHome: () => Promise<StoreHome>): void {
  const openSeeded = openFixture(createHome)

  /** A store with articles that contain these links, all of them due. */
  async function open(...targets: readonly (readonly string[])[]) {
    const fixture = await openSeeded()
    for (const [index, each] of targets.entries()) {
      await fixture.createdId({ slug: `holder-${index}`, content: linksTo(...each) })
    }
    await fixture.store.scheduleTargets(NOW, 100)
    return fixture
  }

  describe(`${title}: link checks`, () => {
    test('a target is due once, for any number of links', async () => {
      const { store, site } = await open([A, B, NONE], [B, C])
      expect(await store.dueLinks(site, NOW, START, 100)).toEqual(
        [A, B, C].map((target) => ({ target, working: true, failures: 0, dueDate: NOW })),
      )
      expect(await due({ store, site }, '2026-03-01T09:59:59.999Z')).toEqual([])
    })

    test('new targets are scheduled in slices, and only once', async () => {
      const { store, site, createdId } = await open()
      await createdId({ content: linksTo(A, B, C) })
      expect(await due({ store, site })).toEqual([])
      expect(await store.scheduleTargets(NOW, 2)).toBe(true)
      expect(await due({ store, site })).toHaveLength(2)
      expect(await store.scheduleTargets(NOW, 2)).toBe(false)
      expect(await due({ store, site })).toEqual([A, B, C])
      // A known target keeps its date, and its result when its link is added again.
      await store.claimLinks(site, [A], NOW, UNTIL)
      await store.scheduleTargets(NOW, 2)
      expect(await due({ store, site })).toEqual([B, C])
    })

    test('targets are set in slices of links', async () => {
      const { store, site, createdId } = await open()
      await createdId({ content: linksTo(A, B, C) })
      const newTarget = (link: { readonly url: string }) => `new ${targetOf(link)}`
      const second = await store.retargetLinks({ after: 0, limit: 2 }, newTarget)
      expect(second).toEqual(expect.any(Number))
      await store.scheduleTargets(NOW, 9)
      expect(await due({ store, site })).toEqual([C, `new ${A}`, `new ${B}`])
      expect(await store.retargetLinks({ after: second ?? 0, limit: 2 }, newTarget)).toBeUndefined()
      await store.scheduleTargets(NOW, 9)
      expect(await store.claimLinks(site, await due({ store, site }), NOW, UNTIL)).toEqual([
        `new ${A}`,
        `new ${B}`,
        `new ${C}`,
      ])
    })

    test('a target that was never scheduled is removed with its last link', async () => {
      const { store, site, createdId, update } = await open()
      await createdId({ slug: 'other', content: linksTo(A) })
      const id = await createdId({ content: linksTo(A, B, C, D) })
      await store.retargetLinks(ALL_LINKS, ({ url }) => (url === C ? `old ${C}` : url))
      await update(id, { content: linksTo(A, B, C) })
      await store.deleteArticle(site, await createdId({ slug: 'gone', content: linksTo(A, E) }), LATER)
      await store.scheduleTargets(NOW, 9)
      expect(await due({ store, site })).toEqual([A, B, C])
    })

    test('a link that is added again before its target is due has the known result', async () => {
      const { store, site, createdId } = await open()
      const id = await createdId({ slug: 'gone', content: linksTo(A) })
      await store.scheduleTargets(NOW, 9)
      await store.claimLinks(site, [A], NOW, UNTIL)
      await store.recordLinkChecks(site, [result(A)])
      await store.deleteArticle(site, id, LATER)
      await createdId({ content: linksTo(A) })
      expect((await store.listLinks(site, ALL_LINKS)).map(({ working }) => working)).toEqual([false])
    })

    test('links get their correct targets, and nothing is written if they have them', async () => {
      const { store, site, createdId } = await openSeeded()
      await createdId({ slug: 'holder', content: linksTo(A, NONE, B) })
      const given: unknown[] = []
      const list = async () => {
        await store.retargetLinks(ALL_LINKS, (link) => {
          given.push(link)
          return `${link.siteId === site}/${link.slug}/${targetOf(link)}`
        })
        await store.scheduleTargets(NOW, 100)
      }
      await list()
      const wanted = ['true/holder/', `true/holder/${A}`, `true/holder/${B}`]
      expect(given).toEqual([A, NONE, B].map((url) => ({ url, siteId: site, slug: 'holder' })))
      expect(await due({ store, site })).toEqual(wanted)
      expect(await store.claimLinks(site, [...wanted, A, B], NOW, UNTIL)).toEqual(wanted)
      const [mark, revision] = [store.exactMark(), await store.revision()]
      await list()
      expect([store.exactMark(), await store.revision()]).toEqual([mark, revision])
      // Without a target, nothing is checked.
      await store.retargetLinks(ALL_LINKS, () => '')
      expect(await store.claimLinks(site, wanted, UNTIL, TOMORROW)).toEqual([])
      expect(await due({ store, site }, TOMORROW)).toEqual([])
    })

    test('a target computed while its article got another slug is not written', async () => {
      const { store, site, createdId, update } = await openSeeded()
      const id = await createdId({ slug: 'one', content: linksTo(A) })
      const updates: Promise<unknown>[] = []
      await store.retargetLinks(ALL_LINKS, ({ slug }) => {
        // The target stays the same, so that it does not reveal the update.
        updates.push(update(id, { slug: 'two', content: linksTo(A) }))
        return `of ${slug}`
      })
      await Promise.all(updates)
      await store.scheduleTargets(NOW, 100)
      expect(await store.claimLinks(site, ['of one'], NOW, UNTIL)).toEqual([])
    })

    test('due targets are read in slices, the longest waiting first', async () => {
      const { store, site, createdId } = await open([C, D])
      await createdId({ slug: 'other', content: linksTo(A, B) })
      await store.scheduleTargets('2026-03-01T09:00:00.000Z', 100)
      const first = await store.dueLinks(site, NOW, START, 3)
      expect(first.map(({ target }) => target)).toEqual([A, B, C])
      expect((await store.dueLinks(site, NOW, first.at(-1) ?? START, 3)).map(({ target }) => target)).toEqual(
        [D],
      )
    })

    test('a target is claimed once; an expired claim is free again', async () => {
      const { store, site } = await open([A, B, C])
      expect(await store.claimLinks(site, [A, B], NOW, UNTIL)).toEqual([A, B])
      expect(await store.claimLinks(site, [A, B, C], NOW, UNTIL)).toEqual([C])
      expect([await due({ store, site }), await store.nextLinkCheckDate(NOW)]).toEqual([[], UNTIL])
      expect([await store.sitesWithDueLinks(NOW), await store.sitesWithDueLinks(UNTIL)]).toEqual([[], [site]])
      expect(await due({ store, site }, UNTIL)).toEqual([A, B, C])
      expect(await store.claimLinks(site, [A], UNTIL, TOMORROW)).toEqual([A])
    })

    test('a released claim is due at once, but only its holder can release it', async () => {
      const { store, site } = await open([A, B])
      await store.claimLinks(site, [A, B], NOW, UNTIL)
      await store.releaseLinks(site, [A], UNTIL, NOW)
      await store.releaseLinks(site, [B], TOMORROW, NOW)
      expect(await due({ store, site })).toEqual([A])
    })

    test('a result is stored, and shown by every link to the target', async () => {
      const { store, site } = await open([A, B], [A])
      await store.claimLinks(site, [A, B], NOW, UNTIL)
      await store.recordLinkChecks(site, [result(A), result(B, { working: true, failures: 1 })])
      const shown = await store.listLinks(site, ALL_LINKS)
      expect(shown.map(({ url, working }) => [url, working])).toEqual([
        [A, false],
        [B, true],
        [A, false],
      ])
      expect(await store.dueLinks(site, TOMORROW, START, 100)).toEqual([
        { target: A, working: false, failures: 2, dueDate: TOMORROW },
        { target: B, working: true, failures: 1, dueDate: TOMORROW },
      ])
      expect(await store.nextLinkCheckDate(NOW)).toBe(TOMORROW)
      expect(await store.nextLinkCheckDate(TOMORROW)).toBeUndefined()
    })

    test('a result after its claim was taken over changes nothing', async () => {
      const { store, site } = await open([A])
      await store.claimLinks(site, [A], NOW, UNTIL)
      await store.claimLinks(site, [A], UNTIL, TOMORROW)
      await store.recordLinkChecks(site, [result(A)])
      expect(await store.dueLinks(site, TOMORROW, START, 100)).toEqual([
        { target: A, working: true, failures: 0, dueDate: TOMORROW },
      ])
    })

    test('a target without links is removed instead of claimed', async () => {
      const { store, site, createdId } = await open([A])
      const id = await createdId({ slug: 'gone', content: linksTo(A, B) })
      await store.scheduleTargets(NOW, 100)
      await store.deleteArticle(site, id, LATER)
      expect(await due({ store, site })).toEqual([A, B])
      expect(await store.claimLinks(site, [A, B], NOW, UNTIL)).toEqual([A])
      expect(await due({ store, site }, UNTIL)).toEqual([A])
    })

    test('an article exists if it is published, in any language', async () => {
      const { store, site, createdId } = await openSeeded({ languages: ['en', 'fr'] })
      await createdId({ slug: 'here' })
      await createdId({ slug: 'ici', language: 'fr' })
      await createdId({ slug: 'draft', status: 'draft' })
      const slugs = ['here', 'ici', 'draft', 'none', '']
      const found = await Promise.all(slugs.map((slug) => store.hasPublishedArticle(site, slug)))
      expect(found).toEqual([true, true, false, false, false])
      expect(await store.hasPublishedArticle('another site', 'here')).toBe(false)
    })
  })
}
