// The counts do not depend on the order of a list, and every entry is counted once.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { monthsAround } from '../../../../src/web/dashboard/summary/calendar.ts'
import { createIsLeftOut } from '../../../../src/inspect/report/addresses.ts'
import { collectLinks, type LinksFound } from '../../../../src/inspect/report/join/collect-links.ts'
import { collectReviews, type ReviewsFound } from '../../../../src/inspect/report/join/collect-reviews.ts'
import { createJoin, type KnownFile } from '../../../../src/inspect/report/join/join.ts'

const TODAY = '2027-03-15'

const file: KnownFile = {
  source: 'a.md',
  file: 'content/a.md',
  document: undefined,
  url: '/articles/a',
  categories: ['Guides'],
}

const join = createJoin({
  files: new Map([['a.md', file]]),
  identified: { sourceOf: new Map([['0', 'a.md']]), orphans: [] },
  former: new Map(),
  isSelected: undefined,
  defaultLanguage: 'en',
})

const review = fc.record({
  id: fc.nat(30).map(String),
  name: fc.option(fc.constantFrom('A', 'B', ''), { nil: undefined }),
  article_review_date: fc.oneof(
    fc.constantFrom(
      undefined,
      '',
      'soon',
      '9999-12-31',
      '2027-03-14',
      '2027-03-15',
      '2027-04-14',
      '2027-04-15',
    ),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
})

const link = fc.record({
  article_id: fc.nat(5).map(String),
  url: fc.option(fc.constantFrom('https://x.example.org/1', '/articles/a', 'https://y.example.org'), {
    nil: undefined,
  }),
  working: fc.option(fc.boolean(), { nil: undefined }),
})

type Review = {
  readonly id: string
  readonly name?: string | undefined
  readonly article_review_date?: string | undefined
}

function reviewsOf(entries: readonly Review[]): ReviewsFound {
  const scope = { today: TODAY, dueWithinDays: 30, span: monthsAround(TODAY, 2, 10) }
  const sink = collectReviews({
    join,
    scope,
    isAccepted: ({ id }) => Number(id) % 2 === 0,
    ownersOf: undefined,
  })
  for (const entry of entries) sink.add({ ...entry, status: undefined, language: undefined })
  return sink.found()
}

function linksOf(entries: readonly object[]): LinksFound {
  const sink = collectLinks({
    join,
    articles: new Map(),
    places: { find: () => [], fill: () => {} },
    checkLocally: (url) => (url === '/articles/a' ? { localSays: 'works', reason: 'here' } : undefined),
    isIgnored: createIsLeftOut(['https://y.*']),
    isAccepted: ({ article: { id } }) => id === '0',
  })
  for (const entry of entries) sink.add(entry as never)
  return sink.end()
}

test('reviews: every article counts once, with one status, and the order of the list does not matter', () => {
  const unique = fc.uniqueArray(review, { selector: ({ id }) => id, maxLength: 30 })
  fc.assert(
    fc.property(unique, (entries) => {
      const { summary, accepted, unowned, articles, standings } = reviewsOf(entries)
      const { overdue, due, later, never, undated } = summary
      expect(overdue + due + later + never + undated).toBe(entries.length)
      expect([articles.size, unowned.total + standings.size]).toEqual([entries.length, entries.length])
      const even = summary.longestOverdue.filter(({ id }) => Number(id) % 2 === 0)
      expect(accepted).toBe(even.length)
      const again = reviewsOf([...entries.toReversed(), ...entries])
      expect({ ...again.summary, ...sorted(again) }).toEqual({ ...summary, ...sorted({ summary }) })
    }),
  )
})

/** Sorts by date and title; of equal ones, the first comes first. */
function sorted({ summary }: Pick<ReviewsFound, 'summary'>) {
  const { longestOverdue, dueNext, laterNext, neverDue, withoutDate } = summary
  const byId = (entries: typeof dueNext) => entries.toSorted((a, b) => Number(a.id) - Number(b.id))
  return {
    longestOverdue: byId(longestOverdue),
    dueNext: byId(dueNext),
    laterNext: byId(laterNext),
    neverDue: byId(neverDue),
    withoutDate: byId(withoutDate),
  }
}

test('links: each is ignored or counted, and broken only if the target reports it', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 60 }), (entries) => {
      const found = linksOf(entries)
      const counted = entries.filter(({ url }) => url !== 'https://y.example.org')
      const broken = counted.filter(({ working }) => working === false)
      const disagreed = broken.filter(({ url }) => url === '/articles/a')
      const others = new Set(
        entries.filter(({ article_id: id }) => id !== '0').map(({ article_id: id }) => id),
      )
      expect({
        links: found.links,
        ignored: found.ignored,
        broken: found.summary.total,
        accepted: found.accepted,
        ofFile: found.brokenBySource.get('a.md') ?? 0,
        disagreements: found.disagreements.total,
        listed: [found.summary.links.length, found.disagreements.entries.length],
        others: found.others.size,
      }).toEqual({
        links: counted.length,
        ignored: entries.length - counted.length,
        broken: broken.length,
        accepted: broken.filter(({ article_id: id }) => id === '0').length,
        ofFile: broken.filter(({ article_id: id }) => id === '0').length,
        disagreements: disagreed.length,
        listed: [broken.length, disagreed.length],
        others: others.size,
      })
    }),
  )
})
