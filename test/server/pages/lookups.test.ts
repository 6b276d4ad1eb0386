// Pages of large sites stay fast only if their queries use an index.
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { compileQuery, type StoreQuery } from '../../../src/server/store/query.ts'
import { readerArticleQueries } from '../../../src/server/store/reader-article-queries.ts'
import { readerReportQueries } from '../../../src/server/store/reader-report-queries.ts'
import { readerTaxonQueries } from '../../../src/server/store/reader-taxon-queries.ts'
import { postingQueries } from '../../../src/server/store/posting-store.ts'
import { searchQueries } from '../../../src/server/store/search-store.ts'
import { SQLITE_BUILDER } from '../../../src/server/store/sqlite/sqlite-session.ts'
import { openTestServer } from '../../support/server.ts'

const ANY = {
  siteId: 's',
  language: '',
  order: 0,
  name: '',
  id: '',
  target: '',
  number: 0,
  after: '',
  last: '',
  from: '',
  before: '',
  today: '',
  date: '',
  skip: 0,
  slug: 'a',
  taxonId: 'c',
  articleId: 'a',
  originalId: 'a',
  limit: 10,
  most: 10,
  contentBytes: 10,
  characters: 10,
  blocks: '[]',
  stems: '[]',
  numbers: '[]',
  ids: '[]',
  statuses: '[]',
  rows: '[]',
  blockId: 1,
  block: 1,
  status: 'draft',
}

interface Queries {
  readonly [name: string]: StoreQuery<never, unknown> | Queries
}

async function plansOf(queries: Queries): Promise<Record<string, string[]>> {
  const { db } = await openTestServer()
  const connection = new Libsql(db)
  onTestFinished(() => void connection.close())
  const plans: Record<string, string[]> = {}
  const walk = (members: Queries, path: string): void => {
    for (const [name, member] of Object.entries(members)) {
      if (typeof member !== 'function') walk(member, `${path}${name}.`)
      else {
        const { sql, bind } = compileQuery(SQLITE_BUILDER, member, { jsonElements: 'json_each' })
        const rows = connection.prepare(`explain query plan ${sql}`).all(bind(ANY))
        plans[`${path}${name}`] = (rows as { detail: string }[]).map(({ detail }) => detail)
      }
    }
  }
  walk(queries, '')
  return plans
}

test.each(['published', 'all'] as const)(
  'articles are found, listed and counted with an index: %s',
  async (visibility) => {
    const plans = await plansOf(readerArticleQueries[visibility])
    const first = Object.fromEntries(
      Object.entries(plans).map(([name, steps]) => [name, steps.find((step) => /^(SEARCH|SCAN)/.test(step))]),
    )
    const list =
      'SEARCH a USING INDEX articles_list (site_id=? AND language=? AND (order_by,name,id)>(?,?,?))'
    const id = 'USING INDEX sqlite_autoindex_articles_1 (id=?)'
    const status = visibility === 'published' ? ' AND status=?' : ''
    expect(first).toEqual({
      all: list,
      'ofTaxon.category.few': `SEARCH articles ${id}`,
      'ofTaxon.category.many': list,
      'ofTaxon.tag.few': `SEARCH articles ${id}`,
      'ofTaxon.tag.many': list,
      'beforeInCategory.few': `SEARCH articles ${id}`,
      'beforeInCategory.many': list.replace('>', '<'),
      listed: `SEARCH a ${id}`,
      bySlug: `SEARCH a USING INDEX articles_slug (site_id=? AND language=? AND slug=?${status})`,
      content: `SEARCH a ${id}`,
      searched: `SEARCH a ${id}`,
      translations: `SEARCH a ${id}`,
      countByCategory: list.replace('INDEX', 'COVERING INDEX'),
      placeBehind: list.replace('INDEX', 'COVERING INDEX'),
      countInCategory: 'SEARCH a USING COVERING INDEX articles_list (site_id=? AND language=?)',
    })
    const family = plans['translations']?.filter((step) => step.startsWith('SEARCH articles '))
    expect(family).toEqual([
      `SEARCH articles ${id.replace('INDEX', 'COVERING INDEX')}`,
      'SEARCH articles USING INDEX articles_translation (language_parent=?)',
      'SEARCH articles USING INDEX articles_parent (article_parent=?)',
    ])
  },
)

test('postings, and the articles with a draft, are found with an index', async () => {
  const plans = await plansOf({
    ...postingQueries,
    backlog: searchQueries.backlog,
    unposted: searchQueries.unposted,
    words: searchQueries.words,
  })
  const scans = Object.entries(plans).flatMap(([name, steps]) =>
    steps.filter((step) => /^SCAN (?!listed|json_each|text)/.test(step)).map((step) => `${name}: ${step}`),
  )
  expect(scans).toEqual([])
  expect(plans['hidden.all']?.filter((step) => step.includes(' draft '))).toEqual([
    'SEARCH draft USING INDEX articles_parent (article_parent>?)',
  ])
  const postings = 'SEARCH word_postings USING PRIMARY KEY (block_id=? AND stem'
  expect([plans['find'], plans['findStarting']].map((plan) => plan?.[0])).toEqual([
    `${postings}=?)`,
    `${postings}>? AND stem<?)`,
  ])
})

test('no list is sorted if its index has the same order', async () => {
  const plans = { ...(await plansOf(readerArticleQueries.all)), ...(await plansOf(readerReportQueries)) }
  const inOrder = [
    'all',
    'ofTaxon.category.many',
    'ofTaxon.tag.many',
    'beforeInCategory.many',
    'firstReviews',
    'firstUndated',
    'dueEnd',
    'indexed',
    'indexedPlace',
    'brokenLinks',
    'brokenLinkCategories',
  ]
  for (const name of inOrder) {
    expect([name, plans[name]?.filter((step) => step.includes('TEMP B-TREE'))]).toEqual([name, []])
  }
})

test('links, review statuses, categories and tags are found with an index', async () => {
  const plans = { ...(await plansOf(readerReportQueries)), ...(await plansOf(readerTaxonQueries)) }
  const scans = Object.entries(plans).flatMap(([name, steps]) =>
    steps.filter((step) => /^SCAN (?!listed)/.test(step)).map((step) => `${name}: ${step}`),
  )
  // Scans of `article` are scans of a slice.
  expect(scans.toSorted()).toEqual([
    'dueMembers: SCAN article',
    'indexedCount: SCAN article',
    'indexedFamilies: SCAN article',
    'indexedFamilies: SCAN article',
    'latest: SCAN article',
    'size.category: SCAN relation',
    'size.tag: SCAN relation',
  ])
  expect(plans['brokenLinks']).toEqual([
    'SEARCH known USING INDEX link_targets_broken (site_id=? AND target>?)',
    'SEARCH link USING INDEX links_target (target_id=?)',
    'SEARCH article USING INDEX sqlite_autoindex_articles_1 (id=?)',
  ])
  expect(plans['brokenLinkCategories']?.join()).toMatch(/link_targets_broken.*links_target/)
  expect(plans['uncheckedLinks']?.join()).toMatch(/link_targets_unchecked.*links_target/)
  for (const name of ['reviewDays', 'dueEnd']) {
    expect([name, plans[name]?.[0]]).toEqual([
      name,
      expect.stringContaining('COVERING INDEX articles_reviewed'),
    ])
  }
  for (const name of ['indexedCount', 'indexedPlace', 'latest']) {
    expect([name, plans[name]?.join()]).toEqual([
      name,
      expect.stringContaining(
        'COVERING INDEX articles_list (site_id=? AND (language,order_by,name,id)>(?,?,?,?))',
      ),
    ])
  }
  expect(plans['indexedFamilies']?.join()).toMatch(
    /SEARCH member USING INDEX sqlite_autoindex_articles_1.*SEARCH member USING INDEX articles_translation/,
  )
  expect(plans['editDays']?.[0]).toContain('COVERING INDEX articles_edited')
  expect(plans['dueMembers']?.join()).toMatch(
    /COVERING INDEX articles_reviewed \(site_id=\? AND \(review_date,id\)>.*COVERING INDEX article_categories_article/,
  )
})
