import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileSources } from '../../src/content/pipeline/compile-sources.ts'
import { COMPILED_FORMAT } from '../../src/content/markdown/rendered-body.ts'
import { hashSources } from '../../src/content/source/hash-sources.ts'
import { openRenderCache } from '../../src/content/pipeline/render-cache.ts'
import { digestParts } from '../../src/core/digest.ts'
import { contentFolder, type Files, FRONTMATTER, loadFolder, type LoadedFolder } from './load-files.ts'

const FILES: Files = {
  'a.md': `${FRONTMATTER}# One\n\n[b](b.md#two) ![dot](dot.png)\n`,
  'b.md': `${FRONTMATTER}## Two\n\n<script>x</script>\n`,
  'bad.md': '---\ntitel: A\n---\n[x](nowhere.md)\n',
  'latin.md': Buffer.from('caf\u00e9', 'latin1'),
  'dot.png': 'dot',
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `page-${index}.md`,
      `${FRONTMATTER}Text ${index}. ${'More. '.repeat(200)}\n`,
    ]),
  ),
}

/** Returns the loaded content as plain data. */
const plain = (loaded: LoadedFolder): unknown => JSON.parse(JSON.stringify(loaded))

describe('the render cache', () => {
  test('gives back what was compiled: cold, warm and in another place', async () => {
    const root = contentFolder(FILES)
    const cold = plain(await loadFolder(root))
    expect(plain(await loadFolder(root))).toEqual(cold)
    expect(plain(await loadFolder(contentFolder(FILES)))).toEqual(cold)
  })

  test.each<[string, (file: string) => void]>([
    [
      'is no database',
      (file) =>
        writeFileSync(file, 'not a database, but long enough to be read as a header of one'.repeat(10)),
    ],
    ['is empty', (file) => writeFileSync(file, '')],
    ['is cut in half', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    [
      'has other bytes in it',
      (file) => {
        const bytes = readFileSync(file)
        bytes.fill(0x55, 5000, bytes.length - 100)
        writeFileSync(file, bytes)
      },
    ],
  ])('is made anew where its file %s', async (_, damage) => {
    const root = contentFolder(FILES)
    const before = plain(await loadFolder(root))
    damage(join(root, '.kb', 'rendered.db'))
    expect(plain(await loadFolder(root))).toEqual(before)
  })

  test('serves one run from memory if it cannot be stored', () => {
    const root = contentFolder({ '.kb': 'a file where the folder should be' })
    const cache = openRenderCache(join(root, '.kb', 'rendered.db'))
    cache.store([{ key: 'k', meta: '{"a":1}', links: '{}', html: '[]' }])
    expect(cache.readMeta('k')).toEqual({ a: 1 })
    cache.close()
    expect(readdirSync(root)).toEqual(['.kb'])
  })

  test('is pruned only if many entries are unused', () => {
    const cache = openRenderCache(join(contentFolder({}), '.kb', 'rendered.db'))
    const entry = (key: string) => ({ key, meta: JSON.stringify({ key }), links: '{}', html: '[]' })
    cache.store(Array.from({ length: 1003 }, (_, index) => entry(`k${index}`)))
    cache.prune(new Set(['k1', 'k2']))
    expect(cache.readMeta('k7')).toEqual({ key: 'k7' })
    cache.prune(new Set(['k1']))
    expect([cache.readMeta('k1'), cache.readMeta('k7')]).toEqual([{ key: 'k1' }, undefined])
    expect(() => cache.readHtml('k7')).toThrow('lost the entry k7')
    cache.close()
  })
})

describe('compiling', () => {
  const neverOpened = () => Promise.reject(new Error('there was something to compile'))

  test('happens once for each text, including one with problems', async () => {
    const root = contentFolder(FILES)
    await loadFolder(root)
    const cache = openRenderCache(join(root, '.kb', 'rendered.db'))
    const sources = Object.keys(FILES).filter((name) => name.endsWith('.md'))
    const request = { contentRoot: root, hashes: hashSources(root, sources), cache, openPool: neverOpened }
    const compiled = await compileSources({
      ...request,
      renderKey: { digest: digestParts(['settings', 'native', COMPILED_FORMAT]), isOfPlace: false },
    })
    expect(compiled.map(({ source }) => source)).toEqual(sources)
    expect(compiled.filter(({ meta }) => meta.frontmatter === undefined).map(({ source }) => source)).toEqual(
      ['bad.md', 'latin.md'],
    )
    await expect(
      compileSources({ ...request, renderKey: { digest: 'other settings', isOfPlace: false } }),
    ).rejects.toThrow('something to compile')
    cache.close()
  })

  test('that is interrupted reports it and closes what it opened', async () => {
    const root = contentFolder(FILES)
    const cache = openRenderCache(join(root, '.kb', 'rendered.db'))
    let closed = 0
    const controller = new AbortController()
    const compile = (files: readonly string[]) => {
      controller.abort()
      return Promise.resolve(files.map((file) => ({ sourceHash: file, meta: '{}', links: '{}', html: '[]' })))
    }
    const openPool = () => Promise.resolve({ width: 1, compile, close: () => Promise.resolve(void closed++) })
    const hashes = hashSources(root, Object.keys(FILES))
    const request = {
      contentRoot: root,
      hashes,
      cache,
      renderKey: { digest: '', isOfPlace: false },
      openPool,
      signal: controller.signal,
    }
    await expect(compileSources(request)).rejects.toMatchObject({
      code: 'INTERRUPTED',
      message: 'Stopped while reading the content. Nothing was sent.',
    })
    expect(closed).toBe(1)
    cache.close()
  })
})
