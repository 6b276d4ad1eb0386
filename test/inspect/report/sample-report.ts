// A report with every kind of finding, hostile where possible, to test the formats.
import { toDate, toDayNumber } from '../../../src/web/dashboard/summary/calendar.ts'
import { hostOf } from '../../../src/web/dashboard/summary/host-of.ts'
import { countAll } from '../../web/dashboard/summary/count-all.ts'
import { createBrokenLinkCounter } from '../../../src/web/dashboard/summary/summarize-broken-links.ts'
import {
  createReviewCounter,
  type ReviewStatus,
} from '../../../src/web/dashboard/summary/summarize-reviews.ts'
import type {
  LinkDisagreement,
  LinkFinding,
  OutdatedTranslation,
  Report,
  ReportCounts,
  ReportedArticle,
  ReviewFinding,
  UsedRedirect,
} from '../../../src/web/report/report.ts'
import { sampleArticle, sampleOwners, sampleUnowned } from './sample-articles.ts'
import type { Listing } from '../../../src/web/dashboard/summary/least.ts'

export const SAMPLE_TODAY = '2027-03-15'

export interface SampleSize {
  /** The displayed parts of owners; default: none. */
  readonly owners?: 'none' | 'names' | 'email'
  /** Entries of each of the longer lists. */
  readonly overdue?: number
  readonly broken?: number
  readonly later?: number
}

/**
 * Overdue, due, later, never and undated articles, broken links of many kinds, and everything else that a report can
 * contain.
 */
export async function sampleReport(size: SampleSize = {}): Promise<Report> {
  const { owners = 'none', overdue: overdueCount = 17, broken: brokenCount = 42, later = 1_200 } = size
  const own = (article: ReportedArticle, index: number): ReportedArticle =>
    owners === 'none' ? article : { ...article, owners: sampleOwners(index, owners === 'email') }
  const reviews = sampleReviews({ overdue: overdueCount, later }, own)
  const broken = sampleBroken(brokenCount).map((link, index) => ({
    ...link,
    article: own(link.article, Math.floor(index / LINKS_OF_AN_ARTICLE)),
  }))
  const disagreements = sampleDisagreements()
  const translations = sampleTranslations()
  const unowned = Array.from({ length: 9 }, (_, index) => sampleUnowned(index))
  const counts: ReportCounts = {
    files: 1_250,
    onTarget: 1_248,
    ...reviews.counts,
    links: 8_400 + brokenCount,
    broken: brokenCount,
    ignoredLinks: 12,
    disagreements: disagreements.length,
    brokenHere: disagreements.filter(({ localSays }) => localSays === 'broken').length,
    unowned: 12_345,
    isUnownedExact: false,
    outdatedTranslations: translations.length,
    acceptedOverdue: reviews.lists.overdue.filter(({ isAccepted }) => isAccepted).length,
    acceptedBroken: broken.filter(({ isAccepted }) => isAccepted).length,
  }
  return {
    version: 1,
    project: 'docs & <more>',
    target: 'production',
    generatedAt: `${SAMPLE_TODAY}T06:00:12.345Z`,
    today: SAMPLE_TODAY,
    dueWithinDays: 30,
    counts,
    reviews: {
      overdue: whole(reviews.lists.overdue),
      due: whole(reviews.lists.due),
      // As if the list was cut.
      later: { total: counts.later, entries: reviews.lists.later.slice(0, 40) },
      never: whole(reviews.lists.never),
      undated: whole(reviews.lists.undated),
      span: SPAN,
      summary: reviews.summary,
    },
    links: {
      broken: whole(broken),
      summary: countAll(
        createBrokenLinkCounter<LinkFinding>({
          order: 'article',
          listed: 1_000,
          groups: 100,
          perGroup: 1,
          articleKey: ({ article }) => article.id,
        }),
        broken,
      ),
      disagreements: whole(disagreements),
    },
    unowned: { total: counts.unowned, entries: unowned },
    translations: whole(translations),
    redirects: whole(sampleRedirects()),
    categories: CATEGORIES,
    ages: AGES,
    changes: CHANGES,
    history: historyUpTo(counts),
    exceeded: [
      { name: 'overdue' as const, count: counts.overdue - counts.acceptedOverdue, allowed: 10 },
      { name: 'broken' as const, count: counts.broken - counts.acceptedBroken, allowed: 0 },
    ].filter(({ count, allowed }) => count > allowed),
    notes: [
      '3 files have errors and were left out; kb check shows them.',
      'The target stopped at <article> "x" | `y`: its links to http://evil.example/\u001b[2J were not judged.',
    ],
  }
}

/** The first report on a target without any findings. */
export async function tidyReport(): Promise<Report> {
  const { counts, reviews, links, ...rest } = await sampleReport({ overdue: 0, broken: 0, later: 3 })
  const {
    lists,
    summary,
    counts: reviewCounts,
  } = sampleReviews({ overdue: 0, later: 3, isTidy: true }, (a) => a)
  return {
    ...rest,
    counts: {
      ...counts,
      ...reviewCounts,
      files: 3,
      onTarget: 3,
      links: 5,
      ignoredLinks: 0,
      disagreements: 0,
      brokenHere: 0,
      unowned: 0,
      isUnownedExact: true,
      outdatedTranslations: 0,
    },
    reviews: {
      ...reviews,
      overdue: whole([]),
      due: whole([]),
      later: whole(lists.later),
      never: whole([]),
      undated: whole([]),
      summary,
    },
    links: { ...links, disagreements: whole([]) },
    unowned: whole([]),
    translations: whole([]),
    redirects: undefined,
    categories: [],
    ages: undefined,
    changes: undefined,
    history: [],
    exceeded: [],
    notes: [],
  }
}

const SPAN = { from: '2026-03-01', to: '2028-03-31' }

interface ReviewSizes {
  readonly overdue: number
  readonly later: number
  /** True for no dates in the past, never, or missing. */
  readonly isTidy?: boolean
}

function sampleReviews(
  { overdue, later, isTidy = false }: ReviewSizes,
  own: (article: ReportedArticle, index: number) => ReportedArticle,
) {
  const some = (count: number): number => (isTidy ? 0 : count)
  let index = 0
  const make = (
    standing: ReviewStatus,
    date: string,
    changes: Partial<ReviewFinding> = {},
  ): ReviewFinding => {
    index += 1
    const article = own(sampleArticle(index), index)
    const isDated = standing !== 'never' && standing !== 'undated'
    return {
      ...article,
      standing,
      date,
      days: isDated ? toDayNumber(date) - toDayNumber(SAMPLE_TODAY) : undefined,
      place: { line: 6, column: 1, end: { line: 6, column: 23 } },
      fileDate: undefined,
      isAccepted: false,
      ...changes,
    }
  }
  const nobody = { file: undefined, url: undefined, place: undefined, categories: [] }
  const lists = {
    overdue: listOf(overdue, (nth) =>
      make('overdue', daysOn(16 - (overdue - nth) * 17), {
        ...(nth % 6 === 4 && nobody),
        ...(nth % 5 === 2 && { fileDate: '2027-09-01' }),
        isAccepted: nth % 7 === 3,
      }),
    ),
    // The first is due today, the last on the last day of the period.
    due: listOf(some(6), (nth) => make('due', daysOn(nth * 6))),
    later: listOf(later, (nth) => make('later', daysOn(31 + nth))),
    never: listOf(some(2), () => make('never', '9999-12-31')),
    undated: listOf(some(3), (nth) =>
      make('undated', '', { place: { line: 1, column: 1 }, ...(nth === 2 && nobody) }),
    ),
  }
  const counter = createReviewCounter<ReviewFinding>({
    today: SAMPLE_TODAY,
    dueWithinDays: 30,
    span: SPAN,
    listed: 50,
  })
  for (const finding of Object.values(lists).flat()) counter.add(finding)
  const counts = {
    overdue: lists.overdue.length,
    due: lists.due.length,
    later: lists.later.length,
    never: lists.never.length,
    undated: lists.undated.length,
  }
  return { lists, counts, summary: counter.summary() }
}

function daysOn(days: number): string {
  return toDate(toDayNumber(SAMPLE_TODAY) + days)
}

function listOf<T>(count: number, make: (nth: number) => T): T[] {
  return Array.from({ length: count }, (_, nth) => make(nth))
}

function whole<T>(entries: readonly T[]): Listing<T> {
  return { total: entries.length, entries }
}

const ADDRESSES = [
  'https://gone.example.com/pricing?plan=a&currency=eur#table',
  'https://gone.example.com/old/page',
  'http://[2001:db8::1]:8080/status',
  'https://xn--bcher-kva.example/%E2%82%AC?q=<script>alert(1)</script>',
  '/articles/moved-away',
  'javascript:alert(document.cookie)',
  'https://evil.example/"><img src=x onerror=alert(1)>',
  `https://long.example.org/${'segment/'.repeat(40)}end`,
  'https://user:secret@login.example/x|y`z](https://elsewhere.example)',
  '=IMPORTXML("https://evil.example")',
] as const

const LINKS_OF_AN_ARTICLE = 3

function sampleBroken(count: number): LinkFinding[] {
  return listOf(count, (nth) => {
    const index = Math.floor(nth / LINKS_OF_AN_ARTICLE) + 2
    const article = sampleArticle(index, index % 6 === 5 ? { file: undefined, url: undefined } : {})
    const url = ADDRESSES[nth % ADDRESSES.length] ?? ''
    return { article, url, host: hostOf(url), places: placesOf(article, nth), isAccepted: nth % 9 === 8 }
  })
}

/** No positions if the article has no file or the URL is not in it; several ones, some of them in an included file. */
function placesOf({ file }: ReportedArticle, nth: number): LinkFinding['places'] {
  if (file === undefined || nth % 5 === 4) return []
  const line = 12 + nth
  const own = { file, line, column: 5, end: { line, column: 38 } }
  if (nth % 5 !== 3) return [own]
  return [
    own,
    { ...own, line: 90 + nth, end: { line: 90 + nth, column: 20 } },
    { file: 'content/_footer.md', line: 2, column: 1 },
  ]
}

function sampleDisagreements(): LinkDisagreement[] {
  return [
    disagreement(4, 'https://teapot.example/brew', 'works', '418 I’m a "Teapot" <b>'),
    disagreement(5, 'https://slow.example/', 'works', 'no answer within 10 s'),
    disagreement(6, '/articles/set-up-account', 'broken', 'an article of this folder'),
  ]
}

function disagreement(
  index: number,
  url: string,
  targetSays: LinkDisagreement['targetSays'],
  reason: string,
): LinkDisagreement {
  const article = sampleArticle(index)
  const localSays = targetSays === 'works' ? 'broken' : 'works'
  const places = [{ file: article.file ?? '', line: 20, column: 3, end: { line: 20, column: 30 } }]
  return { article, url, host: hostOf(url), places, targetSays, localSays, reason }
}

function sampleTranslations(): OutdatedTranslation[] {
  return [
    {
      title: 'Konto einrichten <i>',
      language: 'de',
      file: 'content/de/konto.md',
      original: 'content/guides/account.md',
      originalChanged: '2027-03-01',
      translated: '2026-11-20',
      place: { line: 2, column: 1, end: { line: 2, column: 29 } },
      hint: 'git diff 1a2b3c4 -- content/guides/account.md shows what changed since.',
    },
    {
      title: 'إعداد الحساب',
      language: 'ar',
      file: 'content/ar/account.md',
      original: 'content/guides/account.md',
      originalChanged: undefined,
      translated: '2026-12-24',
      place: { line: 1, column: 1 },
      hint: 'git diff HEAD -- content/guides/account.md shows what changed since.',
    },
  ]
}

function sampleRedirects(): UsedRedirect[] {
  return [
    {
      kind: 'article',
      leadsTo: sampleArticle(3),
      url: 'https://help.example.com/articles/old-name',
      isDeclared: true,
      hits: 1_203,
      lastUsed: '2027-03-14',
      place: { line: 6, column: 5, file: sampleArticle(3).file ?? '' },
    },
    {
      kind: 'article',
      leadsTo: sampleArticle(4),
      url: '/articles/=formula|<b>?lang=ar',
      isDeclared: false,
      hits: 1,
      lastUsed: undefined,
      place: undefined,
    },
    {
      kind: 'category',
      leadsTo: { ...sampleArticle(5), title: 'Accounts | <b>', file: undefined, categories: [] },
      url: 'https://help.example.com/categories/users',
      isDeclared: false,
      hits: 1,
      lastUsed: '2027-03-14',
      place: undefined,
    },
  ]
}

const CATEGORIES: Report['categories'] = categoriesOf([
  ['Billing', 240, 3, 1, 6],
  ['Guides', 250, 4, 2, 10],
  ['Guides/Accounts', 500, 8, 3, 20],
  ['<b>Odd</b> & | "names"', 250, 2, 0, 6],
  ['=Formulas/@here', 250, 0, 0, 0],
])

function categoriesOf(
  rows: readonly (readonly [string, number, number, number, number])[],
): Report['categories'] {
  return rows.map(([category, articles, overdue, due, broken]) => ({
    category,
    articles,
    overdue,
    due,
    broken,
  }))
}

const AGES: NonNullable<Report['ages']> = {
  bands: [
    { label: 'under 1 month', fromDays: 0, toDays: 30, count: 120 },
    { label: '1 to 3 months', fromDays: 30, toDays: 91, count: 300 },
    { label: '3 to 6 months', fromDays: 91, toDays: 182, count: 260 },
    { label: '6 to 12 months', fromDays: 182, toDays: 365, count: 350 },
    { label: '1 to 2 years', fromDays: 365, toDays: 730, count: 180 },
    { label: 'over 2 years', fromDays: 730, toDays: undefined, count: 38 },
  ],
  unknown: 2,
  medianDays: 171,
  youngestDays: 0,
  oldestDays: 900,
}

/** Replaces the file of an article without one. */
const HOSTILE_NAME = '=1+1 <b>\u202e | `x`'

const CHANGES: NonNullable<Report['changes']> = {
  since: '2027-03-08T06:00:01.000Z',
  newlyOverdue: whole(['content/guides/article-17.md', HOSTILE_NAME]),
  reviewed: whole(['content/guides/article-99.md']),
  newlyBroken: {
    total: 1_234,
    entries: [
      { article: 'content/guides/article-3.md', url: 'https://gone.example.com/old/page' },
      { article: '<img src=x onerror=alert(1)>', url: 'javascript:alert(1)' },
    ],
  },
  fixed: whole([{ article: 'content/guides/article-5.md', url: 'https://back.example.com/' }]),
}

function historyUpTo({
  overdue,
  due,
  broken,
  unowned,
  outdatedTranslations,
}: ReportCounts): Report['history'] {
  const weeks = 12
  return listOf(weeks, (nth) => {
    const at = `${daysOn((nth + 1 - weeks) * 7)}T06:00:12.345Z`
    if (nth === weeks - 1) return { at, overdue, due, broken, unowned, outdatedTranslations }
    return {
      at,
      overdue: 5 + nth,
      due: (nth * 3) % 11,
      broken: 80 - nth * 3,
      unowned: 12_000 + nth,
      outdatedTranslations: nth % 3,
    }
  })
}
