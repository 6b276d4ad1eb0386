import { setImmediate as turn } from 'node:timers/promises'
import { createPageUrls } from '../../pages/page-urls.ts'
import type { PageAddresses } from '../../pages/page-addresses.ts'
import type { ArticleEntry, BrokenLinkEntry, StatusSource } from '../../health/status-source.ts'
import {
  type ArticleStanding,
  type BrokenLinkRecord,
  type BrokenLinkPlace,
  LIST_START,
  type VersionPlace,
} from '../store/reader-data.ts'
import type { Store } from '../store/store.ts'
import type { SiteCatalog } from './site-catalog.ts'

interface StoreStatusParts {
  readonly store: Store
  readonly siteId: string
  readonly catalog: SiteCatalog
  readonly addresses: PageAddresses
  readonly dueWithinDays: number
  readonly clock: () => Date
  /** Whether this process checks links. */
  readonly checksLinks: boolean
}

/** What decides where an article is found. */
type Placed = Pick<ArticleStanding, 'slug' | 'language' | 'categoryIds'>

const ENTRIES_AT_ONCE = 1000

/** How a site is doing, from the store. */
export function createStoreStatus({
  store,
  siteId,
  catalog,
  addresses,
  dueWithinDays,
  ...rest
}: StoreStatusParts): StatusSource {
  /** Made once for a whole list: it may be long. */
  async function createPlacer() {
    const languages = await catalog.languages()
    const paths = await catalog.namedPaths()
    const urls = createPageUrls(addresses, languages)
    return ({ slug, language: stored, categoryIds }: Placed) => {
      const language = stored === '' ? (languages[0] ?? '') : stored
      const categories = categoryIds.flatMap((id) => paths.get(id) ?? [])
      return { language, url: urls.article({ slug, language }), categories }
    }
  }

  async function* articles(): AsyncGenerator<ArticleEntry> {
    const placeOf = await createPlacer()
    let after: VersionPlace | undefined = { ...LIST_START, language: '' }
    while (after !== undefined) {
      const some: readonly ArticleStanding[] = await store.listArticleStandings(
        siteId,
        after,
        ENTRIES_AT_ONCE,
      )
      for (const { name, reviewDate, editedDate, isDraft, ...article } of some) {
        const date = reviewDate?.slice(0, 10) ?? ''
        const lastChange = editedDate.slice(0, 10)
        yield { title: name, date, lastChange, isDraft, ...placeOf(article), file: undefined }
      }
      after = some.length < ENTRIES_AT_ONCE ? undefined : some.at(-1)
      await turn()
    }
  }

  async function* brokenLinks(): AsyncGenerator<BrokenLinkEntry> {
    const placeOf = await createPlacer()
    let after: BrokenLinkPlace | undefined = { target: '', id: '' }
    while (after !== undefined) {
      const some: readonly BrokenLinkRecord[] = await store.listBrokenLinks(siteId, after, ENTRIES_AT_ONCE)
      for (const { url, status, reason, name, ...article } of some) {
        const { url: page, categories } = placeOf(article)
        const said = reason !== '' || status === null ? reason : `HTTP ${status}`
        yield { url, reason: said, article: { title: name, url: page, file: undefined }, categories }
      }
      after = some.length < ENTRIES_AT_ONCE ? undefined : some.at(-1)
      await turn()
    }
  }

  return {
    now: rest.clock,
    sync: () => undefined,
    countArticles: () => store.countByStatus(siteId),
    lastChange: async () => (await store.lastChange(siteId)) || undefined,
    dueWithinDays: () => dueWithinDays,
    articles,
    brokenLinks,
    async linkChecks() {
      return rest.checksLinks ? { kind: 'on', ...(await store.countLinks(siteId)) } : { kind: 'off' }
    },
  }
}
