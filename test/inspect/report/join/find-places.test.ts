import { expect, test } from 'vitest'
import type { LocatedUrl } from '../../../../src/content/markdown/rendered-body.ts'
import type { LocalArticle } from '../../../../src/core/model/document.ts'
import { createPlaceFinder } from '../../../../src/inspect/report/join/find-places.ts'

const knownFile = (source: string) => ({
  source,
  file: `content/${source}`,
  document: { source } as LocalArticle,
  url: undefined,
  categories: [],
})

function createFinder(links: Readonly<Record<string, readonly LocatedUrl[]>>) {
  const read: string[] = []
  const findAddresses = ({ source }: { readonly source: string }, isWanted: (url: string) => boolean) => {
    read.push(source)
    return (links[source] ?? []).filter(({ url }) => isWanted(url))
  }
  return { read, ...createPlaceFinder({ findAddresses }, { root: '/site', contentRoot: '/site/content' }) }
}

test('each text is read once, in the order of folders, whatever the order of the list', () => {
  const { read, find, fill } = createFinder({
    'a/x.md': [
      { url: '/articles/two#part', line: 9, column: 1 },
      { url: '/articles/one', line: 5, column: 1 },
      { url: '/articles/one', line: 4, column: 1, source: 'note.md' },
      { url: '/articles/other', line: 1, column: 1 },
    ],
    'b/y.md': [{ url: '/articles/one', line: 2, column: 1 }],
  })
  const [x, y] = [knownFile('a/x.md'), knownFile('b/y.md')]
  const listed = [
    find(y, '/articles/one'),
    find(x, '/articles/one'),
    find(x, '/articles/two'),
    find(y, '/articles/gone'),
    find(x, '/articles/one'),
    find(undefined, '/articles/one'),
  ]
  expect(listed.flat()).toEqual([])
  fill()
  const ones = ['content/a/x.md:5', 'content/note.md:4']
  expect(listed.map((places) => places.map(({ file, line }) => `${file}:${line}`))).toEqual([
    ['content/b/y.md:2'],
    ones,
    ['content/a/x.md:9'],
    [],
    ones,
    [],
  ])
  expect(read).toEqual(['a/x.md', 'b/y.md'])
})

test('very many places are found on the way, to limit memory', () => {
  const urls = Array.from({ length: 50_001 }, (_, nth) => `/articles/${nth}`)
  const { find, fill } = createFinder({ 'a.md': urls.map((url, nth) => ({ url, line: nth, column: 1 })) })
  const file = knownFile('a.md')
  const lists = urls.map((url) => find(file, url))
  expect([lists[0]?.length, lists.at(-1)?.length]).toEqual([1, 0])
  fill()
  expect(lists.map((places) => places.map(({ line }) => line))).toEqual(urls.map((_, nth) => [nth]))
})
