import { setImmediate as turn } from 'node:timers/promises'
import { createPageUrls } from '../../web/pages/page-urls.ts'
import type { PageAddresses } from '../../web/pages/page-addresses.ts'
import type {
  ArticleCounts,
  BrokenLinkEntry,
  CountScope,
  ReviewEntry,
  StatusSource,
} from '../../web/dashboard/status-source.ts'
import { addDays, NEVER_DATE } from '../../core/calendar-date.ts'
import type { BrokenLinkPlace, BrokenLinkRecord } from '../store/reader-data.ts'
import type { Store } from '../store/open-store.ts'
import type { SiteCatalog } from './site-catalog.ts'

interface StoreStatusOptions {
  readonly store: Store
  readonly siteId: string
  readonly catalog: SiteCatalog
  readonly addresses: PageAddresses
  readonly dueWithinDays: number
  readonly clock: () => Date
  /** True if this process checks links. */
  readonly checksLinks: boolean
}

export function createStoreStatus(options: StoreStatusOptions): StatusSource {
  const { store, siteId, dueWithinDays, clock, checksLinks } = options
  return {
    now: clock,
    sync: () => undefined,
    countArticles: () => store.countByStatus(siteId),
    lastChange: async () => (await store.lastChange(siteId)) || undefined,
    dueWithinDays: () => dueWithinDays,
    articles: (scope) => countArticles(options, scope),
    brokenLinks: () => listBrokenLinks(options),
    linkChecks: async () =>
      checksLinks ? { kind: 'on', ...(await store.countLinks(siteId)) } : { kind: 'off' },
  }
}

async function countArticles(options: StoreStatusOptions, scope: CountScope): Promise<ArticleCounts> {
  const { today, dueWithinDays, listed } = scope
  const { store, siteId, catalog } = options
  const addressOf = await createAddressOf(options)
  const paths = await catalog.namedPaths()
  // The latest possible date stands for never.
  const before = addDays(today, dueWithinDays + 1)
  // Sequential, since reads are synchronous.
  const first: ReviewEntry[] = []
  for (const days of rangesOf(today, before)) {
    for (const { name: title, ...article } of await store.listFirstReviews(siteId, days, listed)) {
      const { date, isDraft } = article
      const { language, url } = addressOf({ ...article, categoryIds: [] })
      first.push({ title, date, isDraft, language, url, file: undefined })
    }
    await turn()
  }
  const reviewDates = await store.countReviewDays(siteId)
  await turn()
  const lastChanges = await store.countEditDays(siteId)
  await turn()
  const loads = await store.countCategoryLoads(siteId, { today, before })
  const categories = loads.flatMap(({ categoryId, ...load }) => {
    const category = paths.get(categoryId)
    return category === undefined || load.articles === 0 ? [] : [{ ...load, category }]
  })
  return { kind: 'counts', reviewDates, lastChanges, categories, first }
}

const ENTRIES_AT_ONCE = 1000

async function* listBrokenLinks(options: StoreStatusOptions): AsyncGenerator<BrokenLinkEntry> {
  const { store, siteId } = options
  const addressOf = await createAddressOf(options)
  let after: BrokenLinkPlace | undefined = { target: '', number: 0 }
  while (after !== undefined) {
    const some: readonly BrokenLinkRecord[] = await store.listBrokenLinks(siteId, after, ENTRIES_AT_ONCE)
    for (const { url, status, reason, name, ...article } of some) {
      const { url: page, categories } = addressOf(article)
      const said = reason !== '' || status === null ? reason : `HTTP ${status}`
      yield { url, reason: said, article: { title: name, url: page, file: undefined }, categories }
    }
    after = some.length < ENTRIES_AT_ONCE ? undefined : some.at(-1)
    await turn()
  }
}

/** Returns a function that returns the URLs of articles, created once for a list, which may be long. */
async function createAddressOf({ catalog, addresses }: StoreStatusOptions) {
  const languages = await catalog.languages()
  const paths = await catalog.namedPaths()
  const urls = createPageUrls(addresses, languages)
  return (article: Pick<BrokenLinkRecord, 'slug' | 'language' | 'categoryIds'>) => {
    const { slug, categoryIds } = article
    const language = article.language === '' ? (languages[0] ?? '') : article.language
    const categories = categoryIds.flatMap((id) => paths.get(id) ?? [])
    return { language, url: urls.article({ slug, language }), categories }
  }
}

/** The ranges of days for each status: overdue, due, later, never, undated. */
function rangesOf(today: string, before: string) {
  return [
    { from: '', before: today },
    { from: today, before },
    { from: before, before: NEVER_DATE },
    { from: NEVER_DATE, before: ':' },
    undefined,
  ]
}
