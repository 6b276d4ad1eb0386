import { expect, test } from 'vitest'
import { createAcceptance } from '../../../../src/inspect/report/baseline/baseline.ts'

const overdue = (id: string, file: string | undefined, date: string) => ({ id, file, date })
const broken = (id: string, file: string | undefined, url: string) => ({ article: { id, file }, url })

test('an entry accepts an article by its file or its id, for one date or for any', () => {
  const { acceptsOverdue } = createAcceptance({
    overdue: [
      { file: 'content/a.md', date: '2025-01-31' },
      { file: 'content/b.md' },
      { id: '7', title: 'Pricing', date: '2025-02-01' },
    ],
    broken: [],
  })
  expect(
    [
      overdue('1', 'content/a.md', '2025-01-31'),
      overdue('1', 'content/a.md', '2026-01-31'),
      overdue('2', 'content/b.md', '2026-01-31'),
      overdue('7', undefined, '2025-02-01'),
      overdue('7', 'content/pricing.md', '2025-02-01'),
      overdue('8', undefined, '2025-02-01'),
      overdue('content/a.md', undefined, '2025-01-31'),
    ].map(acceptsOverdue),
  ).toEqual([true, false, true, true, true, false, false])
})

test('a link is accepted only in its article', () => {
  const { acceptsBroken } = createAcceptance({
    overdue: [],
    broken: [
      { file: 'content/é.md', url: 'https://a.example/?a=1&b' },
      { id: '7', title: 'Pricing', url: '/old' },
      // As earlier reports wrote the target's URL.
      { id: '8', url: '/old?a=1&amp;b=2' },
    ],
  })
  expect(
    [
      broken('1', 'content/é.md'.normalize('NFD'), 'https://a.example/?a=1&b'),
      broken('1', 'content/é.md', 'https://a.example/?a=1'),
      broken('2', 'content/b.md', 'https://a.example/?a=1&b'),
      broken('7', undefined, '/old'),
      broken('7', undefined, '/new'),
      broken('8', undefined, '/old?a=1&b=2'),
    ].map(acceptsBroken),
  ).toEqual([true, false, false, true, false, true])
})

test('unused entries are described for readers', () => {
  const acceptance = createAcceptance({
    overdue: [
      { file: 'content/a.md', date: '2025-01-31' },
      { file: 'content/b.md' },
      { file: 'content/used.md' },
      { id: '7', title: 'Pricing', date: '2025-02-01' },
      { id: '8' },
    ],
    broken: [
      { file: 'content/a.md', url: 'https://a.example/' },
      { file: 'content/used.md', url: 'https://a.example/' },
    ],
  })
  acceptance.acceptsOverdue(overdue('1', 'content/a.md', '2026-01-31'))
  acceptance.acceptsOverdue(overdue('2', 'content/used.md', '2026-01-31'))
  acceptance.acceptsBroken(broken('2', 'content/used.md', 'https://a.example/'))
  expect(acceptance.unneeded()).toEqual([
    'content/a.md is no longer overdue (2025-01-31)',
    'content/b.md is no longer overdue',
    '"Pricing" is no longer overdue (2025-02-01)',
    'article 8 is no longer overdue',
    'https://a.example/ is no longer broken in content/a.md',
  ])
})

test('an entry with file and id is used by either, and that of an ignored URL is not judged', () => {
  const url = 'https://a.example/'
  const acceptance = createAcceptance(
    {
      overdue: [{ file: 'content/a.md', id: '1' }],
      broken: [
        { file: 'content/a.md', id: '1', url },
        { file: 'content/a.md', id: '1', url: 'https://ignored.example/' },
        { file: 'content/a.md', id: '1', url: 'https://mended.example/' },
      ],
    },
    (address) => address === 'https://ignored.example/',
  )
  expect(acceptance.acceptsOverdue(overdue('1', 'content/guides/a.md', '2026-01-31'))).toBe(true)
  expect(acceptance.acceptsBroken(broken('2', 'content/a.md', url))).toBe(true)
  expect(acceptance.unneeded()).toEqual(['https://mended.example/ is no longer broken in content/a.md'])
})

test('equal entries are all needed', () => {
  const entry = { file: 'a.md', date: '2025-01-31' }
  const acceptance = createAcceptance({ overdue: [entry, { ...entry }, { file: 'a.md' }], broken: [] })
  expect(acceptance.acceptsOverdue(overdue('1', 'a.md', '2025-01-31'))).toBe(true)
  expect(acceptance.unneeded()).toEqual([])
})

test('an empty baseline accepts nothing', () => {
  const acceptance = createAcceptance({ overdue: [], broken: [] })
  expect(acceptance.acceptsOverdue(overdue('1', undefined, ''))).toBe(false)
  expect(acceptance.unneeded()).toEqual([])
})
