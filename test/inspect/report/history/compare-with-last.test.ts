import { expect, test } from 'vitest'
import {
  compareWithLast,
  type KnownLink,
  type RememberedArticle,
} from '../../../../src/inspect/report/history/compare-with-last.ts'
import type { Listing } from '../../../../src/web/dashboard/summary/least.ts'

const SINCE = '2026-03-01T10:00:00.000Z'

const listing = <T>(entries: readonly T[], total = entries.length): Listing<T> => ({ total, entries })
const owned = (id: string, file: string): RememberedArticle => ({ id, file, title: `Title of ${file}` })
const unowned = (id: string, title: string): RememberedArticle => ({ id, title })
const link = (article: RememberedArticle, url: string): KnownLink => ({ article, url })

function compare(before: Findings, now: Findings, isIgnored?: (url: string) => boolean) {
  const last = { at: SINCE, ...toFindings(before) }
  return compareWithLast({ last }, toFindings(now), isIgnored)
}

interface Findings {
  readonly overdue?: Listing<RememberedArticle>
  readonly broken?: Listing<KnownLink>
}

function toFindings({ overdue = listing([]), broken = listing([]) }: Findings) {
  return { overdue, broken }
}

const NOTHING = {
  since: SINCE,
  newlyOverdue: listing([]),
  reviewed: listing([]),
  newlyBroken: listing([]),
  fixed: listing([]),
}

test('a first report has no comparison', () => {
  expect(compareWithLast({ last: undefined }, toFindings({}))).toEqual({ changes: undefined, notes: [] })
})

test('new and fixed findings, by file, otherwise title', () => {
  const [a, b, c] = [owned('1', 'content/a.md'), owned('2', 'content/b.md'), unowned('3', 'Pricing')]
  const result = compare(
    { overdue: listing([a, c]), broken: listing([link(a, 'https://a.example/'), link(c, '/x')]) },
    {
      overdue: listing([b, a]),
      broken: listing([link(a, 'https://a.example/'), link(a, '/x'), link(b, 'https://a.example/')]),
    },
  )
  expect(result).toEqual({
    changes: {
      since: SINCE,
      newlyOverdue: listing(['content/b.md']),
      reviewed: listing(['Pricing']),
      newlyBroken: listing([
        { article: 'content/a.md', url: '/x' },
        { article: 'content/b.md', url: 'https://a.example/' },
      ]),
      fixed: listing([{ article: 'Pricing', url: '/x' }]),
    },
    notes: [],
  })
})

test.each<[string, RememberedArticle, RememberedArticle]>([
  [
    'replaced on the target, so its id is another one',
    owned('1', 'content/a.md'),
    owned('9', 'content/a.md'),
  ],
  ['moved in the files', owned('1', 'content/a.md'), owned('1', 'content/guides/a.md')],
  ['owned by a file now', unowned('1', 'A'), owned('1', 'content/a.md')],
  ['renamed on the target', unowned('1', 'A'), unowned('1', 'B')],
  ['spelt by another file system', owned('1', 'content/é.md'), owned('9', 'content/é.md'.normalize('NFD'))],
])('an article is the same if it was %s', (_, before, now) => {
  // Earlier reports stored the URL of the target's list.
  const [listed, url] = ['https://a.example/?x=1&#x26;y', 'https://a.example/?x=1&y']
  const result = compare(
    { overdue: listing([before]), broken: listing([link(before, listed)]) },
    { overdue: listing([now]), broken: listing([link(now, url)]) },
  )
  expect(result.changes).toEqual(NOTHING)
})

test('two articles with the same title are different', () => {
  const [one, two] = [unowned('1', 'FAQ'), unowned('2', 'FAQ')]
  const { changes } = compare({ overdue: listing([one]) }, { overdue: listing([one, two]) })
  expect(changes).toEqual({ ...NOTHING, newlyOverdue: listing(['FAQ']) })
})

test('a URL that occurs twice in an article is reported once', () => {
  const twice = [link(owned('1', 'a.md'), '/x'), link(owned('1', 'a.md'), '/x')]
  expect(compare({}, { broken: listing(twice) }).changes?.newlyBroken).toEqual(
    listing([{ article: 'a.md', url: '/x' }]),
  )
  expect(compare({ broken: listing(twice) }, {}).changes?.fixed.total).toBe(1)
})

test('newly ignored links do not count as fixed', () => {
  const article = owned('1', 'a.md')
  const { changes } = compare(
    { broken: listing([link(article, 'https://a.example/'), link(article, 'https://b.example/')]) },
    {},
    (url) => url.startsWith('https://a.'),
  )
  expect(changes?.fixed).toEqual(listing([{ article: 'a.md', url: 'https://b.example/' }]))
})

test('nothing is reported beyond the end of a list', () => {
  const [a, b] = [owned('1', 'a.md'), owned('2', 'b.md')]
  const note = (what: string) =>
    `Which ${what} are new or gone is not completely known, because only 1 of them are listed.`
  const wasCut = compare({ overdue: listing([a], 1200) }, { overdue: listing([b]) })
  expect(wasCut).toEqual({
    changes: { ...NOTHING, reviewed: listing(['a.md']) },
    notes: [note('overdue articles')],
  })
  const isCut = compare({ broken: listing([link(a, '/x')]) }, { broken: listing([link(b, '/x')], 3) })
  expect(isCut).toEqual({
    changes: { ...NOTHING, newlyBroken: listing([{ article: 'b.md', url: '/x' }]) },
    notes: [note('broken links')],
  })
})
