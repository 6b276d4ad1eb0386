import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompiledLinks, WrittenLink } from '../../src/content/markdown/rendered-body.ts'
import { packLinks, unpackLinks } from '../../src/content/pipeline/packed-links.ts'

const position = fc.record({ line: fc.integer({ min: 1, max: 99 }), column: fc.integer({ min: 1, max: 99 }) })
const span = fc.record(
  { line: fc.nat(), column: fc.nat(), end: position },
  { requiredKeys: ['line', 'column'] },
)
const text = fc.constantFrom('', 'a.md', 'b.md#part', '../c', 'img/é.png')
const external = fc
  .tuple(
    position,
    fc.record({ url: text, end: position, source: text, definition: span }, { requiredKeys: ['url'] }),
  )
  .map(([start, others]) => ({ ...others, ...start }))
const slot = fc
  .tuple(fc.constantFrom('link', 'image', 'media'), external)
  .map(([kind, link]) => ({ kind, ...link }))

test('links are the same when they are read from the cache', () => {
  const others = { targets: ['https://example.com', 0], anchors: ['part'] }
  fc.assert(
    fc.property(fc.array(slot), fc.array(external), (slots, externals) => {
      const links: CompiledLinks = { slots, externals, ...others }
      expect(unpackLinks(JSON.parse(JSON.stringify(packLinks(links))))).toEqual(links)
    }),
  )
})

test('only wanted links are read, and each URL is asked for once', () => {
  fc.assert(
    fc.property(fc.array(slot), fc.array(external), fc.func(fc.boolean()), (slots, externals, choose) => {
      const isWanted = ({ kind, url, source }: WrittenLink) => choose(kind, url, source)
      const asked: WrittenLink[] = []
      const packed = packLinks({ slots, externals, targets: [], anchors: [] })
      const read = unpackLinks(packed, (link) => asked.push(link) > 0 && isWanted(link))
      expect(read).toEqual({
        slots: slots.filter(isWanted),
        externals: externals.filter((link) => isWanted({ ...link, kind: 'external' })),
        targets: [],
        anchors: [],
      })
      expect(new Set(asked.map((link) => JSON.stringify(link))).size).toBe(asked.length)
    }),
  )
})

test('a URL is stored once', () => {
  const slots = [1, 2, 3].map((line) => ({ kind: 'link', url: 'a.md', line, column: 1 }) as const)
  expect(packLinks({ slots, externals: [], targets: [0, 1, 2], anchors: [] }).texts).toEqual(['a.md'])
})
