import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ArticleRows, formatRow, type IndexedArticle } from '../../../src/content/pipeline/article-rows.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { readRuns } from '../../support/runs.ts'

const name = fc.string({ unit: anyCharacter, maxLength: 6 })
const names = fc.uniqueArray(name, { maxLength: 12 })

function rowsOf(sources: readonly string[], links: readonly string[]): IndexedArticle[] {
  const row = (source: string, at: number) => ({
    source,
    hash: `hash ${at}`,
    slug: source,
    language: null,
    linksTo: links.slice(at, at + 2),
  })
  return sources.map(row).toSorted((a, b) => (a.source < b.source ? -1 : 1))
}

test('rows are found one by one as written', () => {
  fc.assert(
    fc.property(names, fc.array(name), fc.array(name), (sources, links, others) => {
      const written = rowsOf(sources, [...links, ...sources])
      const rows = new ArticleRows(Buffer.from(written.map(formatRow).join('')), new Map())
      const bySource = new Map(written.map((row) => [row.source, row]))
      for (const source of [...sources, ...others]) expect(rows.get(source)).toEqual(bySource.get(source))
      expect(rows.all()).toEqual(written)
      const wanted = new Set([...others, ...sources.slice(0, 2)])
      expect(rows.linkingTo(wanted)).toEqual(
        written.filter(({ linksTo }) => linksTo.some((to) => wanted.has(to))),
      )
    }),
    readRuns('HISTORIES', 100),
  )
})

test('edits replace rows', () => {
  const written = rowsOf(['a.md', 'b.md'], ['b.md'])
  const edits = new Map([
    ['a.md', { linksTo: [], hash: 'new' }],
    ['b.md', { linksTo: ['c.md'], hash: undefined }],
  ])
  const rows = new ArticleRows(Buffer.from(written.map(formatRow).join('')), edits)
  expect(rows.all()).toMatchObject([
    { source: 'a.md', linksTo: [], hash: 'new' },
    { source: 'b.md', linksTo: ['c.md'], hash: 'hash 1' },
  ])
  expect(rows.linkingTo(new Set(['b.md']))).toEqual([])
  expect(rows.linkingTo(new Set(['c.md']))).toEqual([rows.get('b.md')])
})
