import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { summarizeContent } from '../../../src/server/store/article-record.ts'
import type { Store } from '../../../src/server/store/open-store.ts'
import { LATER, openFixture, readRecord, type StoreHome } from './store-fixture.ts'

const START = { revision: 0, id: '' }

/** The requirements of every store for changed and deleted articles. */
export function describeChanges(title: string, createHome: () => Promise<StoreHome>): void {
  const open = openFixture(createHome)

  /** Returns the ids of changed articles, and of deleted ones with a minus. */
  async function changesAfter(store: Store, revision: number, limit = 1000) {
    const after = { revision: revision + 1, id: '' }
    const page = await store.listChanges(store.defaultSiteId, { after, deletedAfter: revision, limit })
    return page.map(({ kind, id }) => (kind === 'deleted' ? `-${id}` : id))
  }

  describe(`${title}: changes of articles`, () => {
    test('each article is listed like in a read, with a digest and the last comment of its content', async () => {
      const { store, site, seeded, createdId } = await open()
      const content = '<!--first--><p>é</p>\n<!--last-->\n'
      const id = await createdId({ content, tagIds: [seeded.tags['security'] ?? ''] })
      const [change] = await store.listChanges(site, { after: START, deletedAfter: 0, limit: 10 })
      expect(change).toEqual({
        kind: 'changed',
        id,
        revision: await store.revision(),
        article: { ...(await readRecord(store, site, id)), content: '' },
        contentDigest: createHash('sha256').update(content).digest('hex'),
        contentComment: '<!--last-->',
      })
    })

    test('after a revision, only later writes and deletions are listed', async () => {
      const { store, site, createdId, update } = await open()
      const [one, two, three] = [
        await createdId(),
        await createdId({ slug: 'two' }),
        await createdId({ slug: 'three' }),
      ]
      const before = await store.revision()
      expect(await changesAfter(store, before)).toEqual([])
      await update(one)
      await store.deleteArticle(site, three, LATER)
      expect(await changesAfter(store, before)).toEqual([one, `-${three}`])
      expect(await changesAfter(store, 0)).toEqual([two, one, `-${three}`])
      const all = await store.listChanges(site, {
        after: START,
        deletedAfter: await store.revision(),
        limit: 10,
      })
      expect(all.map(({ id }) => id)).toEqual([two, one])
    })

    test('changes of related items change the article', async () => {
      const { store, site, createdId } = await open({ languages: ['en', 'fr'] })
      const original = await createdId()
      const translation = await createdId({ slug: 'un', language: 'fr', languageParent: original })
      const other = await createdId({ slug: 'other' })
      let before = await store.revision()
      const draft = await createdId({ status: 'draft' })
      expect((await changesAfter(store, before)).toSorted()).toEqual([original, draft].toSorted())
      before = await store.revision()
      await store.deleteArticle(site, draft, LATER)
      expect((await changesAfter(store, before)).toSorted()).toEqual([`-${draft}`, original].toSorted())
      before = await store.revision()
      await store.deleteArticle(site, original, LATER)
      expect((await changesAfter(store, before)).toSorted()).toEqual([`-${original}`, translation].toSorted())
      expect(await changesAfter(store, 0)).toContain(other)
    })

    test('pages of any size contain every article, including one that changes between two pages', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 4 }),
          fc.array(fc.constantFrom('create', 'update', 'delete', 'read'), { maxLength: 12 }),
          async (limit, steps) => {
            const { store, site, createdId, update } = await open()
            const present = [
              await createdId({ slug: 'a' }),
              await createdId({ slug: 'b' }),
              await createdId({ slug: 'c' }),
            ]
            const known = new Set<string>()
            const deletedAfter = await store.revision()
            let after: { revision: number; id: string } | undefined = START
            const readPage = async () => {
              if (after === undefined) return
              const page = await store.listChanges(site, { after, deletedAfter, limit })
              for (const { kind, id } of page) {
                if (kind === 'deleted') known.delete(id)
                else known.add(id)
              }
              const last = page.at(-1)
              if (last !== undefined) after = { revision: last.revision, id: last.id }
              return page.length
            }
            for (const [index, step] of steps.entries()) {
              const id = present[index % Math.max(1, present.length)]
              if (step === 'read') await readPage()
              else if (step === 'create') present.push(await createdId({ slug: `new-${index}` }))
              else if (id !== undefined && step === 'update') await update(id, { slug: `changed-${index}` })
              else if (id !== undefined) {
                await store.deleteArticle(site, id, LATER)
                present.splice(present.indexOf(id), 1)
              }
            }
            while ((await readPage()) === limit);
            expect([...known].toSorted()).toEqual(present.toSorted())
          },
        ),
        { numRuns: 8 },
      )
    })
  })
}

test('the comment of a content is its last one, cut if it is long', () => {
  const commentOf = (content: string) => summarizeContent(content).comment
  expect(commentOf('<p>None</p>')).toBe('')
  expect(commentOf('<!--a--><p>x</p><!--b--> ')).toBe('<!--b-->')
  expect(commentOf('<!--open <p>')).toBe('<!--open <p>')
  expect(commentOf(`<!--${'x'.repeat(5000)}-->`)).toHaveLength(4000)
})
