import type { Element, Root, RootContent } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { visit } from 'unist-util-visit'
import { describe, expect, test } from 'vitest'
import { createStatusPage } from '../../../../src/web/pages/status/status-page.ts'
import { busyStatus } from './busy-status.ts'
import {
  articleEntry,
  brokenLink,
  review,
  type Sample,
  statusOf,
  syncStatus,
  unsent,
} from './status-samples.ts'

async function show(sample: Sample, query = ''): Promise<string> {
  const { main } = await createStatusPage(statusOf(sample))(new URLSearchParams(query))
  return String(await main)
}

/** Returns the text of the page, without its charts, with single spaces. */
function textOf(html: string): string {
  return readable(fromHtml(html, { fragment: true }))
    .replace(/\s+/g, ' ')
    .trim()
}

function readable(node: Root | RootContent): string {
  if (node.type === 'text') return node.value
  if (!('children' in node) || (node.type === 'element' && node.tagName === 'svg')) return ''
  const text = node.children.map(readable).join('')
  return node.type === 'element' && BLOCKS.test(node.tagName) ? ` ${text} ` : text
}

const BLOCKS = /^(?:p|h\d|li|td|th|caption|summary|figcaption|strong|div|code)$/

/** Returns all elements that a browser would create. */
function elementsOf(html: string): readonly Element[] {
  const found: Element[] = []
  visit(fromHtml(html, { fragment: true }), 'element', (element) => void found.push(element))
  return found
}

function hrefsOf(html: string): readonly string[] {
  return elementsOf(html).flatMap(({ properties: { href } }) => (typeof href === 'string' ? [href] : []))
}

describe('no problems', () => {
  test('an empty knowledge base whose links are not checked here', async () => {
    expect(textOf(await show({}))).toBe(
      'Status ' +
        'Reviews overdue 0 none due within 30 days ' +
        'Broken links – not checked here ' +
        'Articles 0 0 published, 0 drafts ' +
        'Reviews No article has a review date yet. ' +
        'Links No link is known to be broken. Links are not checked here. kb serve checks them in ' +
        'the background, unless this is switched off, and kb check --external checks them on request.',
    )
  })

  test('everything sent, every link checked, every date far in the future', async () => {
    const text = textOf(
      await show({
        sync: syncStatus(),
        articles: { published: 1, drafts: 1 },
        lastChange: '2026-11-20T08:00:00+01:00',
        reviews: [review('9999-12-31')],
        others: [articleEntry({ date: '' })],
        linkChecks: { kind: 'on', links: 1200, unchecked: 0 },
      }),
    )
    expect(text).toContain('Sync Up to date on builtin ')
    expect(text).toContain('The target builtin is up to date with the files. Last sync: 2026-11-21 23:10 UTC')
    expect(text).toContain('Nothing is overdue. 0 due within 30 days, 0 later, 1 never, 1 without a date.')
    expect(text).toContain('No link is known to be broken. 1,200 links are checked in the background.')
    expect(text).toContain('Last change of an article: 2026-11-20 07:00 UTC')
  })
})

describe('the state of the sync', () => {
  test.each([
    [
      syncStatus({ state: 'offline', pending: 1 }),
      'Offline',
      'The target builtin does not respond. 1 changed file waits.',
    ],
    [
      syncStatus({ state: 'syncing', pending: 2 }),
      'Syncing',
      'Articles are being sent to builtin . 2 changed files wait.',
    ],
    [syncStatus({ lastSync: undefined }), 'Syncing', 'The first sync with builtin is not complete yet.'],
    [syncStatus({ pending: 3 }), 'Syncing', '3 changed files wait to be sent to builtin'],
    [syncStatus({ orphans: 1 }), 'Up to date', '1 article on the target no longer has a file;'],
    [
      syncStatus({
        failures: [unsent('content/a.md', 'Its slug is taken.')],
        heldBack: [unsent('content/b.md')],
      }),
      '2 not sent',
      'Could not be sent (1 article) Could not be sent Article Reason content/a.md:2 Its slug is taken. ' +
        'Held back because of errors (1 article) Held back because of errors Article Reason content/b.md:2 The title is missing.',
    ],
  ])('%#', async (sync, tile, sentence) => {
    const text = textOf(await show({ sync }))
    expect(text).toContain(`Sync ${tile} `)
    expect(text).toContain(sentence)
  })
})

describe('articles', () => {
  const others = [
    articleEntry({ date: '2026-11-20', lastChange: '2026-11-20', categories: ['Guides', 'Guides/Accounts'] }),
    articleEntry({ date: '2026-12-01', lastChange: '2024-01-01', categories: ['Guides'] }),
    articleEntry({ date: '', categories: ['<i>Rest</i>'] }),
  ]

  test('are counted by age and by category, with overdue, due and broken counts in each', async () => {
    const brokenLinks = [{ ...brokenLink('https://a.example/'), categories: ['Guides'] }]
    const html = await show({ others, brokenLinks, articles: { published: 3, drafts: 0 } })
    const text = textOf(html)
    expect(text).toContain(
      'Articles Half of the articles were changed within the last day. By time since the last change ' +
        'As a table Articles by time since the last change Last change Articles ' +
        'under 1 month 1 1 to 3 months 0 3 to 6 months 0 6 to 12 months 0 1 to 2 years 0 2 to 3 years 1 ' +
        '3 years or more 0 not known 1 ' +
        'By category Articles by category Category Articles Overdue Due Broken links ' +
        '<i>Rest</i> 1 0 0 0 Guides 2 1 1 1 Guides/Accounts 1 1 0 0',
    )
    expect(text).toContain('1 article is overdue. 1 due within 30 days, 0 later, 1 without a date.')
    expect(hrefsOf(html)).toContain('#_kb-status-articles')
  })

  test('changed today, in many categories', async () => {
    const categories = Array.from({ length: 201 }, (_, index) => `Category ${String(index).padStart(3, '0')}`)
    const text = textOf(await show({ others: [articleEntry({ lastChange: '2026-11-21', categories })] }))
    expect(text).toContain('All articles were changed today.')
    expect(text).toContain('Category 199 1 0 1 The first 200 of 201 are shown.')
    expect(text).not.toContain('Category 200')
    // Without link checks, no links are reported as broken.
    expect(text).toContain('Category Articles Overdue Due Category 000 1 0 1')
  })

  test('of unknown age and category have no section', async () => {
    const html = await show({ reviews: [review('2026-11-20')] })
    expect(html).not.toContain('_kb-status-articles')
  })

  test('without a review date are listed by name', async () => {
    const dateless = ['B', 'A'].map((title) => articleEntry({ date: '', title }))
    const text = textOf(await show({ others: [...dateless, articleEntry({ date: '9999-12-31' })] }))
    expect(text).toContain('0 later, 1 never, 2 without a date. Today is 2026-11-21 (UTC). Without a date ')
    expect(text).toContain('Without a date Article A content/an-article.md B content/an-article.md')
    expect(textOf(await show({ others: dateless }))).toContain(
      'No article has a review date yet. Without a date',
    )
  })

  test('are due within the configured days', async () => {
    const text = textOf(await show({ others, dueWithinDays: 9 }))
    expect(text).toContain('1 article is overdue. 0 due within 9 days, 1 later, 1 without a date.')
    expect(textOf(await show({ others, dueWithinDays: 1 }))).toContain('0 due within 1 day, 1 later')
  })
})

describe('broken links', () => {
  const links = [
    brokenLink('https://b.example/1', 'One', 'b'),
    brokenLink('https://a.example/2', 'Two', 'c'),
    brokenLink('/gone', 'Three', 'a'),
  ]
  const listed = async (query: string): Promise<readonly string[]> => {
    const html = await show({ brokenLinks: links }, query)
    const table = elementsOf(html).find(({ properties }) =>
      String(properties['className']).includes('kb-data-links'),
    )
    const rows =
      table === undefined ? [] : elementsOf(toHtml(table)).filter(({ tagName }) => tagName === 'td')
    return rows.filter((_, index) => index % 3 === 0).map((cell) => textOf(toHtml(cell)))
  }

  test.each([
    ['', ['https://b.example/1', '/gone', 'https://a.example/2']],
    ['sort=article', ['https://b.example/1', '/gone', 'https://a.example/2']],
    ['sort=address', ['/gone', 'https://a.example/2', 'https://b.example/1']],
    ['sort=reason', ['/gone', 'https://b.example/1', 'https://a.example/2']],
    ['sort=nonsense', ['https://b.example/1', '/gone', 'https://a.example/2']],
    ['host=a.example', ['https://a.example/2']],
    ['sort=reason&host=', ['/gone']],
    ['host=none.example', []],
  ])('the list with ?%s', async (query, addresses) => {
    expect(await listed(query)).toEqual(addresses)
  })

  test('every link of the page to itself works', async () => {
    const page = createStatusPage(statusOf({ brokenLinks: links }))
    const first = String(await (await page(new URLSearchParams())).main)
    const queries = hrefsOf(first).flatMap((href) => /^(\?.*)#_kb-status-list$/.exec(href)?.[1] ?? [])
    expect(queries).toHaveLength(6)
    for (const query of queries) expect(await listed(query)).not.toEqual([])
  })
})

describe('hostile texts', () => {
  const EVIL = '<img src=x onerror=alert(1)>"\'&'

  test('are shown, never executed', async () => {
    const html = await show(
      {
        sync: syncStatus({
          target: EVIL,
          failures: [{ ...unsent(EVIL, EVIL), title: EVIL, url: `javascript:${EVIL}` }],
        }),
        reviews: [{ ...review('2026-11-20', EVIL), language: EVIL, file: EVIL, url: `javascript:${EVIL}` }],
        brokenLinks: [
          { ...brokenLink(EVIL, EVIL, EVIL), article: { title: EVIL, file: EVIL, url: `/articles/${EVIL}` } },
          brokenLink('javascript:alert(1)'),
          brokenLink('JaVaScRiPt:alert(1)'),
          brokenLink('data:text/html,<script>alert(1)</script>'),
          brokenLink('//evil.example/a'),
        ],
      },
      `host=${encodeURIComponent(EVIL)}`,
    )
    const elements = elementsOf(html)
    expect(elements.filter(({ tagName }) => tagName === 'img' || tagName === 'script')).toEqual([])
    const names = new Set(elements.flatMap(({ properties }) => Object.keys(properties)))
    expect([...names].filter((name) => /^(?:on|style|src)/i.test(name))).toEqual([])
    expect(hrefsOf(html).filter((href) => !/^(?:#|\?|\/articles\/)/.test(href))).toEqual([])
  })

  test('direction overrides and control characters are escaped', async () => {
    const html = await show({ reviews: [review('2026-11-20', 'A\u202eB\u0007')] })
    expect(html).toContain('A\\u{202e}B\\u{7}')
  })
})

test('the next reviews are those due soon, then later ones, ten in total', async () => {
  const reviews = Array.from({ length: 14 }, (_, index) => review(`2026-12-${String(index + 14)}`))
  const html = await show({ reviews: reviews.toReversed() })
  const table = html.slice(html.indexOf('Due next'), html.indexOf('10 of 14.'))
  const named = [...table.matchAll(/Due on ([\d-]+)</g)].map(([, date]) => date)
  expect(named).toEqual(reviews.slice(0, 10).map(({ date }) => date))
})

test('an article is shown with its page, language, state and file', async () => {
  const html = await show({ reviews: [{ ...review('2026-11-22', 'شرح'), language: 'ar', isDraft: true }] })
  expect(html).toContain('<bdi lang="ar">شرح</bdi></a> <span class="kb-badge">Draft</span>')
})

test('concurrent requests share a walk over the lists, but never one that began before them', async () => {
  let walks = 0
  const source = { ...statusOf(busyStatus(3, 3)), articles: () => (walks++, []) }
  const page = createStatusPage(source)
  const ask = () => page(new URLSearchParams())
  const first = ask()
  const [one, two] = await Promise.all([ask(), ask()])
  expect([walks, one === two, one === (await first)]).toEqual([2, true, false])
  await ask()
  expect(walks).toBe(3)
})

test('a source that fails once is read again', async () => {
  let isBroken = true
  const page = createStatusPage({
    ...statusOf(),
    lastChange: () => (isBroken ? Promise.reject(new Error('busy')) : Promise.resolve(undefined)),
  })
  const query = new URLSearchParams()
  const both = await Promise.allSettled([page(query), page(query)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect((await page(query)).title).toBe('Status')
})
