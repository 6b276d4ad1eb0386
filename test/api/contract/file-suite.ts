import { describe, expect, test } from 'vitest'
import { FILE_CHUNK_BYTES } from '../../../src/server/store/file-store.ts'
import type { Store } from '../../../src/server/store/open-store.ts'
import { LATER, NOW, openFixture, type StoreHome } from './store-fixture.ts'

const NAME = `${'0a'.repeat(32)}.png`
const OTHER = `${'0b'.repeat(32)}.pdf`
const MUCH = 1_000_000_000
const picture = { width: 640, height: 480 }
const EVEN_LATER = '2026-03-03T10:00:00.000Z'

const htmlWith = (...names: string[]) => names.map((name) => `<img src="/files/${name}">`).join('')

/** The requirements of every store for the files of articles. */
export function describeFiles(title: string, createHome: () => Promise<StoreHome>): void {
  const open = openFixture(createHome)

  async function begin(store: Store, site: string, name: string, sizeBytes: number, now = NOW) {
    const begun = await store.beginFile(site, { name, sizeBytes, now }, MUCH)
    if (begun.kind !== 'begun') throw new Error(begun.kind)
    return begun.id
  }

  async function upload(
    store: Store,
    site: string,
    name: string,
    { bytes = Buffer.from('x'), now = NOW } = {},
  ) {
    const id = await begin(store, site, name, bytes.length, now)
    for (let position = 0; position * FILE_CHUNK_BYTES < bytes.length; position++) {
      const start = position * FILE_CHUNK_BYTES
      await store.addFileChunk(site, id, position, bytes.subarray(start, start + FILE_CHUNK_BYTES))
    }
    await store.finishFile(site, id, { name, sizeBytes: bytes.length, picture, now })
    return id
  }

  async function readAll(store: Store, id: string): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    for (let position = 0; ; position++) {
      const chunk = await store.readFileChunk(id, position)
      if (chunk === undefined) return Buffer.concat(chunks)
      chunks.push(chunk)
    }
  }

  describe(`${title}: files`, () => {
    test('a file is read as it was stored, in chunks, and by the next process', async () => {
      const { store, site, home } = await open()
      const bytes = Buffer.alloc(2 * FILE_CHUNK_BYTES + 3, Buffer.from([0, 1, 255, 128, 7]))
      const id = await upload(store, site, NAME, { bytes })
      await store.close()
      const again = await home.open()
      try {
        expect(await again.findFile(NAME, [])).toEqual({ id, sizeBytes: bytes.length, createdDate: NOW })
        expect((await readAll(again, id)).equals(bytes)).toBe(true)
        expect(await again.pictureSizes(site, [NAME, OTHER])).toEqual(new Map([[NAME, picture]]))
        expect(await again.findMissingFiles(site, [NAME, OTHER, OTHER], NOW)).toEqual([OTHER])
      } finally {
        await again.close()
      }
    })

    test('an upload is invisible until it is finished, and an abandoned one leaves nothing', async () => {
      const { store, site } = await open()
      const id = await begin(store, site, NAME, 3)
      await store.addFileChunk(site, id, 0, Buffer.from('abc'))
      expect([await store.findFile(NAME, []), await store.findMissingFiles(site, [NAME], NOW)]).toEqual([
        undefined,
        [NAME],
      ])
      await store.abandonFile(site, id)
      expect(await store.readFileChunk(id, 0)).toBeUndefined()
      await expect(
        store.finishFile(site, id, { name: NAME, sizeBytes: 3, picture: undefined, now: NOW }),
      ).rejects.toThrow('removed before')
    })

    test('a file that only hidden sites have is not found', async () => {
      const { store, site } = await open()
      const id = await upload(store, site, NAME)
      expect(await store.findFile(NAME, ['another', site])).toBeUndefined()
      expect((await store.findFile(NAME, ['another']))?.id).toBe(id)
    })

    test('of two concurrent uploads of one file, one is kept', async () => {
      const { store, site } = await open()
      const ids = await Promise.all([upload(store, site, NAME), upload(store, site, NAME)])
      const found = await store.findFile(NAME, [])
      const kept = await Promise.all(ids.map((id) => store.readFileChunk(id, 0)))
      expect(kept.filter((chunk) => chunk !== undefined)).toHaveLength(1)
      expect(ids).toContain(found?.id)
      expect(await store.beginFile(site, { name: NAME, sizeBytes: 1, now: NOW }, MUCH)).toEqual({
        kind: 'stored',
      })
    })

    test('the limit of a site includes unfinished uploads', async () => {
      const { store, site } = await open()
      await upload(store, site, OTHER, { bytes: Buffer.alloc(60) })
      const first = await store.beginFile(site, { name: NAME, sizeBytes: 40, now: NOW }, 100)
      expect(first.kind).toBe('begun')
      const second = `${'0c'.repeat(32)}.png`
      expect(await store.beginFile(site, { name: second, sizeBytes: 1, now: NOW }, 100)).toEqual({
        kind: 'full',
      })
    })

    test('unused files are removed after a time, and those of articles, categories and tags are kept', async () => {
      const { store, site, seeded, create } = await open()
      const nameOf = (byte: string) => `${byte.repeat(32)}.png`
      const [inArticle, inCategory, inTag] = [nameOf('a0'), nameOf('a1'), nameOf('a2')]
      const [unused, icon, thumbnail, banner] = [nameOf('a3'), nameOf('a4'), nameOf('a5'), nameOf('a6')]
      const names = [inArticle, inCategory, inTag, unused, icon, thumbnail, banner]
      for (const name of names) await upload(store, site, name)
      await create({ content: htmlWith(inArticle), seoBannerUrl: `/files/${banner}` })
      const text = { description: undefined, language: 'en', editedBy: null, now: NOW }
      const place = {
        priority: 1,
        parentId: undefined,
        thumbnailUrl: `/files/${thumbnail}`,
        iconUrl: `/files/${icon}`,
      }
      await store.updateCategory(site, seeded.categories['guides'] ?? '', {
        ...text,
        ...place,
        name: 'Guides',
        slug: 'guides',
        longDescription: htmlWith(inCategory),
      })
      await store.updateTag(site, seeded.tags['security'] ?? '', {
        ...text,
        name: 'Security',
        slug: 'security',
        longDescription: htmlWith(inTag),
      })
      const revision = await store.revision()
      expect(await store.removeUnusedFiles(NOW, NOW)).toBe(0)
      expect(await store.removeUnusedFiles(LATER, NOW)).toBe(1)
      expect(await store.findMissingFiles(site, names, NOW)).toEqual([unused])
      expect(await store.revision()).toBe(revision)
    })

    test('the time restarts when an article no longer uses a file, after an update or its deletion', async () => {
      const { store, site, createdId, update } = await open()
      await upload(store, site, NAME)
      await upload(store, site, OTHER)
      const banner = `/files/${OTHER}`
      const id = await createdId({ content: htmlWith(NAME), seoBannerUrl: banner })
      await update(id, { content: htmlWith(), seoBannerUrl: undefined, now: LATER })
      expect(await store.removeUnusedFiles(LATER, NOW)).toBe(0)
      expect(await store.removeUnusedFiles(EVEN_LATER, NOW)).toBe(1)
      expect(await store.findMissingFiles(site, [NAME, OTHER], undefined)).toEqual([NAME])
      await store.deleteArticle(site, id, EVEN_LATER)
      expect(await store.removeUnusedFiles(EVEN_LATER, NOW)).toBe(0)
      expect(await store.removeUnusedFiles('2026-03-04T10:00:00.000Z', NOW)).toBe(1)
    })

    test('an announced file is kept, but not by a read-only query', async () => {
      const { store, site } = await open()
      await upload(store, site, NAME)
      await upload(store, site, OTHER)
      await store.findMissingFiles(site, [NAME], LATER)
      await store.findMissingFiles(site, [OTHER], undefined)
      expect(await store.removeUnusedFiles(LATER, NOW)).toBe(1)
      expect(await store.findMissingFiles(site, [NAME, OTHER], undefined)).toEqual([OTHER])
    })

    test('uploads of a dead process are removed, but not those that may still arrive', async () => {
      const { store, site } = await open()
      const id = await begin(store, site, NAME, 3)
      await store.addFileChunk(site, id, 0, Buffer.from('abc'))
      expect(await store.removeUnusedFiles(EVEN_LATER, NOW)).toBe(0)
      expect(await store.removeUnusedFiles(NOW, LATER)).toBe(1)
      expect(await store.readFileChunk(id, 0)).toBeUndefined()
    })

    test('two processes remove the same files, while one continues to upload', async () => {
      const { store, site, home } = await open()
      const other = await home.open()
      try {
        const bytes = Buffer.alloc(40 * FILE_CHUNK_BYTES)
        await upload(store, site, NAME, { bytes })
        await Promise.all([
          store.removeUnusedFiles(LATER, NOW),
          other.removeUnusedFiles(LATER, NOW),
          upload(other, site, OTHER, { now: LATER }),
        ])
        expect(await store.findMissingFiles(site, [NAME, OTHER], undefined)).toEqual([NAME])
      } finally {
        await other.close()
      }
    })
  })
}
