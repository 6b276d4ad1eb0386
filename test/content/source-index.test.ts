import * as fc from 'fast-check'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { createSourceIndex } from '../../src/content/source/source-index.ts'
import { nearest, onlyMeant } from '../../src/core/nearest.ts'

const word = fc.oneof(
  fc.constantFrom('guide', 'guides', 'Guide', 'giude', 'install', 'instal', 'de', 'en', 'v1', 'v2', 'x'),
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', 'İ', 'ß', '-', '1'), minLength: 1, maxLength: 8 }),
)
const path = fc
  .tuple(fc.array(word, { maxLength: 3 }), word, fc.constantFrom('.md', '.mdx', ''))
  .map(([folders, name, ending]) => [...folders, `${name}${ending}`].join('/').normalize('NFC'))

test('the index returns the same as a search of all sources', () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 30 }), path, (sources, wanted) => {
      const index = createSourceIndex(sources)
      expect(index.nearest(wanted)).toBe(plainNearest(wanted, sources))
      expect(index.onlyMeant(wanted)).toBe(onlyMeant(wanted, sources))
      expect(index.holds(wanted)).toBe(sources.some((source) => source.startsWith(`${wanted}/`)))
    }),
  )
})

test('the root contains every source', () => {
  for (const root of ['.', './']) {
    expect(createSourceIndex(['a.md']).holds(root)).toBe(true)
    expect(createSourceIndex([]).holds(root)).toBe(false)
  }
})

/** Compares each folder and name by itself with the wanted one. */
function plainNearest(wanted: string, sources: readonly string[]): string | undefined {
  const partsOf = (source: string) => {
    const { dir, name } = posix.parse(source)
    return [...(dir === '' ? [] : dir.split('/')), name]
  }
  const parts = partsOf(wanted)
  const alike = sources.filter((source) => {
    const others = partsOf(source)
    return (
      others.length === parts.length &&
      parts.every((part, at) => part === others[at] || nearest(part, [others[at] ?? '']) !== undefined)
    )
  })
  return alike.length > 1 ? (nearest(wanted, alike) ?? alike[0]) : alike[0]
}
