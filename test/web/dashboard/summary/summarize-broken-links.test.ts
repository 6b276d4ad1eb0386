import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BrokenLinkEntry } from '../../../../src/web/dashboard/status-source.ts'
import { hostOf } from '../../../../src/web/dashboard/summary/host-of.ts'
import {
  LINK_ORDERS,
  type LinkScope,
  createBrokenLinkCounter,
} from '../../../../src/web/dashboard/summary/summarize-broken-links.ts'
import { groupBy } from '../../../../src/core/group-by.ts'
import { readRuns, timeoutOf } from '../../../support/runs.ts'
import { brokenLink } from '../../pages/status/status-samples.ts'
import { countAll } from './count-all.ts'

const RUNS = readRuns('FUZZ', 200)
const SCOPE: LinkScope = { order: 'article', listed: 10, groups: 5, perGroup: 2 }

test('without links', () => {
  expect(summarizeBrokenLinks([], SCOPE)).toEqual({
    total: 0,
    matching: 0,
    hosts: [],
    hostCount: 0,
    articles: [],
    articleCount: 0,
    links: [],
  })
})

test('hosts and articles are grouped, most first; the list contains only one host on request', () => {
  const links = [
    brokenLink('https://a.example/1', 'One'),
    brokenLink('https://b.example/2', 'One'),
    brokenLink('https://a.example/3', 'Two', '410 Gone'),
    brokenLink('/gone', 'Two'),
  ]
  const [first, second, third, fourth] = links
  expect(summarizeBrokenLinks(links, { ...SCOPE, host: 'a.example', order: 'reason', perGroup: 1 })).toEqual({
    total: 4,
    matching: 2,
    hosts: [
      { key: 'a.example', count: 2, isExact: true, first: [first] },
      { key: '', count: 1, isExact: true, first: [fourth] },
      { key: 'b.example', count: 1, isExact: true, first: [second] },
    ],
    hostCount: 3,
    articles: [
      { key: '/articles/one', count: 2, isExact: true, first: [first] },
      { key: '/articles/two', count: 2, isExact: true, first: [third] },
    ],
    articleCount: 2,
    links: [first, third],
  })
})

test("articles and hosts are distinguished by the caller's keys, and counted exactly up to its limit", () => {
  const links = [
    { ...brokenLink('https://a.example/1', 'Same'), id: '1', host: 'a' },
    { ...brokenLink('https://a.example/2', 'Same'), id: '2', host: 'b' },
    { ...brokenLink('https://a.example/3', 'Same'), id: '2', host: 'b' },
  ]
  type Link = (typeof links)[number]
  const scope = { ...SCOPE, articleKey: ({ id }: Link) => id, hostKey: ({ host }: Link) => host }
  const keysOf = (groups: readonly { key: string; count: number }[]) =>
    groups.map(({ key, count }) => `${key} ${count}`)
  const { articles, hosts, articleCount } = summarizeBrokenLinks(links, scope)
  expect([keysOf(articles), keysOf(hosts), articleCount]).toEqual([['2 2', '1 1'], ['b 2', 'a 1'], 2])
  expect(summarizeBrokenLinks(links, { ...scope, counted: 1 }).articleCount).toBe(undefined)
})

test('random lists have the same counts as whole lists in memory', timeoutOf(RUNS, 30), () => {
  const word = fc.constantFrom('a', 'b', 'c', 'Ä', 'é-long', '')
  const entry = fc
    .tuple(
      fc.constantFrom('https://one.example/', 'http://two.example:81/', '/articles/', 'nonsense:'),
      word,
      word,
      word,
    )
    .map(([base, path, title, reason]) => brokenLink(`${base}${path}`, title, reason))
  const scope = fc.record({
    order: fc.constantFrom(...LINK_ORDERS),
    host: fc.constantFrom(undefined, '', 'one.example', 'two.example:81', 'none.example'),
    listed: fc.nat(8),
    groups: fc.nat(4),
    perGroup: fc.nat(3),
  })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), scope, (entries, asked) => {
      const summary = summarizeBrokenLinks(entries, asked)
      const matching = entries.filter(
        ({ url }) => asked.host === undefined || hostByParser(url) === asked.host,
      )
      expect(summary).toEqual({
        total: entries.length,
        matching: matching.length,
        ...grouped('host', entries, ({ url }) => hostByParser(url), asked),
        ...grouped('article', entries, ({ article }) => article.url ?? '', asked),
        links: matching.toSorted(byKeys(asked.order)).slice(0, asked.listed),
      })
    }),
    RUNS,
  )
})

function grouped(
  name: 'host' | 'article',
  entries: readonly BrokenLinkEntry[],
  keyOf: (entry: BrokenLinkEntry) => string,
  { groups, perGroup }: LinkScope,
) {
  const all = [...groupBy(entries, keyOf)].map(([key, list]) => ({
    key,
    count: list.length,
    isExact: true,
    first: list.slice(0, perGroup),
  }))
  const most = all.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, groups)
  return { [`${name}s`]: most, [`${name}Count`]: all.length }
}

/** As a page of `site.invalid` would resolve it. */
function hostByParser(url: string): string {
  for (const base of [undefined, 'https://site.invalid/'])
    try {
      return new URL(url, base).host.replace('site.invalid', '')
    } catch {
      // Not a URL in this way.
    }
  return ''
}

// No text here contains the separator, which is less than all their characters.
function byKeys(order: LinkScope['order']) {
  const keysOf = ({ url, reason, article }: BrokenLinkEntry): string =>
    ({
      article: [article.title, article.url, url],
      address: [hostByParser(url), url, article.title],
      reason: [reason, url, article.title],
    })[order].join('\u0000')
  return (a: BrokenLinkEntry, b: BrokenLinkEntry): number =>
    keysOf(a) < keysOf(b) ? -1 : Number(keysOf(a) > keysOf(b))
}

test('hosts are the same as those of a parser', () => {
  const written = fc.constantFrom(
    'https://EXAMPLE.com',
    'http://example.com:80/a',
    'https://user:pw@example.com/a',
    'https://example.com\\@other.example',
    'http://1.2.3',
    'http://example.1',
    'https://xn--a.example',
    'https://bücher.example/',
    'https://a..b.example',
    'https://-a.example',
    'https:example.com',
    'mailto:a@example.com',
    'javascript:alert(1)',
    '//example.com/a',
    '//example.com:81',
    '///',
    '/\\example.com/a',
    '../a//b',
    ' https://example.com',
    'https://',
    '',
  )
  const named = fc.domain().map((domain) => `https://${domain}/path`)
  fc.assert(
    fc.property(fc.oneof(written, named, fc.string()), (url) => {
      expect(hostOf(url)).toBe(hostByParser(url))
    }),
    RUNS,
  )
})

function summarizeBrokenLinks<Entry extends BrokenLinkEntry>(
  entries: Iterable<Entry>,
  scope: LinkScope<Entry>,
) {
  return countAll(createBrokenLinkCounter(scope), entries)
}
