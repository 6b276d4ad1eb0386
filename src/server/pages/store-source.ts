import { setImmediate as turn } from 'node:timers/promises'
import limitConcurrency from 'p-limit'
import type {
  ArticlePage,
  IndexedPage,
  LatestPage,
  ListedPage,
  ListQuery,
  PageList,
  PageSource,
  PageTag,
  Viewer,
} from '../../web/pages/page-source.ts'
import { digestParts } from '../../core/digest.ts'
import {
  type FoundTag,
  type SitemapArticle,
  type ReaderArticle,
  type ReaderScope,
  type ReadArticle,
  type TaxonFilter,
  LIST_START,
  SITEMAP_SLICE,
  type ListPlace,
} from '../store/reader-data.ts'
import type { Store } from '../store/open-store.ts'
import { VISIBILITY_OF, type SiteCatalog } from './site-catalog.ts'
import type { RedirectHits } from './redirect-hits.ts'
import type { StoreSearch } from './store-search.ts'

interface StoreSourceParts {
  readonly store: Store
  readonly siteId: string
  /** Name of the knowledge base. */
  readonly name: string
  /** True if readers need a password. */
  readonly isClosed: boolean
  readonly catalog: SiteCatalog
  readonly search: StoreSearch
  readonly redirectHits: RedirectHits
  readonly status: PageSource['status']
}

const INDEXED_AT_ONCE = 500

/** The data of one site's pages, from the store. */
export class StoreSource implements PageSource {
  readonly #parts: StoreSourceParts
  readonly #limitSlices = limitConcurrency(1)
  readonly status: PageSource['status']

  constructor(parts: StoreSourceParts) {
    this.#parts = parts
    this.status = parts.status
  }

  async site() {
    const { name, isClosed, catalog } = this.#parts
    return { name, isClosed, languages: await catalog.languages() }
  }

  listCategories({ viewer, language }: Parameters<PageSource['listCategories']>[0]) {
    return this.#parts.catalog.listCategories(viewer, language)
  }

  async readLongDescription(id: string, language: string) {
    const { store, siteId, catalog } = this.#parts
    return store.readLongDescription(siteId, id, await catalog.toStored(language))
  }

  async findTag(slug: string, language: string): Promise<PageTag | undefined> {
    const found = await this.#findTag(slug, language)
    return found && this.#toTag(found)
  }

  async listArticles(query: ListQuery): Promise<PageList> {
    const taxon = await this.#taxonOf(query)
    if (taxon === 'none') return { articles: [], next: undefined }
    const { viewer, language, after, limit } = query
    const found = await this.#parts.store.listReaderArticles({
      ...this.#scopeOf(viewer),
      language: await this.#parts.catalog.toStored(language),
      taxon,
      after: readPlace(after),
      limit: limit + 1,
    })
    const last = found[limit - 1]
    return {
      articles: await this.#toListed(found.slice(0, limit)),
      next: last !== undefined && found.length > limit ? writePlace(last) : undefined,
    }
  }

  async listAround({ viewer, language, ...query }: Parameters<PageSource['listAround']>[0]) {
    const { store, catalog } = this.#parts
    const place = { ...query, ...this.#scopeOf(viewer), language: await catalog.toStored(language) }
    return this.#toListed(await store.listReaderArticlesAround(place))
  }

  async findArticle(
    { slug, language }: Parameters<PageSource['findArticle']>[0],
    viewer: Viewer,
  ): Promise<ArticlePage | undefined> {
    if (!isSlug(slug)) return undefined
    const { store, catalog } = this.#parts
    for (const code of language === undefined ? await catalog.languages() : [language]) {
      const row = await store.findReaderArticle(this.#scopeOf(viewer), await catalog.toStored(code), slug)
      if (row !== undefined) return this.#toPage(row, viewer)
    }
    return undefined
  }

  async findRedirect(
    { slug, language }: Parameters<PageSource['findRedirect']>[0],
    viewer: Viewer,
    isCounted: boolean,
  ) {
    if (!isSlug(slug)) return undefined
    const { store, catalog, redirectHits } = this.#parts
    const scope = this.#scopeOf(viewer)
    const asked = language === undefined ? undefined : await catalog.toStored(language)
    const others = (await Promise.all((await catalog.languages()).map(catalog.toStored))).filter(
      (each) => each !== asked,
    )
    const redirects = await store.findRedirects(scope, slug)
    for (const from of asked === undefined ? others : [asked, ...others]) {
      const article = redirects.get(from) ?? (await store.findReaderArticle(scope, from, slug))
      // The slug of another language redirects to the translation.
      const place =
        article === undefined || from === asked || asked === undefined
          ? article
          : await this.#findTranslation(scope, article, asked)
      if (place === undefined) continue
      if (isCounted && redirects.has(from)) redirectHits.count({ kind: 'article', slug, language: from })
      return { slug: place.slug, language: await catalog.toCode(place.language) }
    }
    return undefined
  }

  async findMovedTaxa({ kind, slug, language }: Parameters<PageSource['findMovedTaxa']>[0]) {
    if (!isSlug(slug)) return []
    const { store, siteId, catalog, redirectHits } = this.#parts
    const stored = await Promise.all((await catalog.languages()).map(catalog.toStored))
    const languages = language === undefined ? stored : [await catalog.toStored(language), ...stored]
    const found = await store.findMovedTaxa(siteId, { kind, slug, languages })
    return Promise.all(
      found.map(async ({ from, slugs, isMoved }) => ({
        from: await catalog.toCode(from),
        slugs: await this.#byCode(slugs),
        ...(isMoved && { countHit: () => redirectHits.count({ kind, slug, language: from }) }),
      })),
    )
  }

  /** Returns a slug for each language of the site: that of the default language if it is not translated. */
  async #byCode(slugs: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
    const { catalog } = this.#parts
    const places = (await catalog.languages()).map(async (code) => {
      const slug = slugs.get(await catalog.toStored(code)) ?? slugs.get('') ?? ''
      return [code, slug] as const
    })
    return new Map(await Promise.all(places))
  }

  async #findTranslation(scope: ReaderScope, article: ReadArticle, language: string) {
    if (article.language === language) return article
    const translations = await this.#parts.store.listReaderTranslations(scope, article)
    return translations.find((each) => each.language === language)
  }

  search(query: Parameters<PageSource['search']>[0]) {
    return this.#parts.search.search(query)
  }

  findSource(id: string) {
    const { store, siteId } = this.#parts
    return store.findSource(siteId, id)
  }

  async revision() {
    const { store, siteId } = this.#parts
    return `${siteId} ${await store.revision(siteId)}`
  }

  async countIndexed() {
    return (await this.#surveyIndexed()).count
  }

  #surveyIndexed() {
    const { store, siteId, catalog } = this.#parts
    return catalog.rememberLong('indexed', () => store.surveyIndexed(siteId))
  }

  async *indexed(skip: number, limit: number): AsyncGenerator<IndexedPage> {
    const { store, siteId, catalog } = this.#parts
    const [defaultLanguage = ''] = await catalog.languages()
    const toCode = (stored: string) => (stored === '' ? defaultLanguage : stored)
    const { starts } = await this.#surveyIndexed()
    const start = starts[Math.floor(skip / SITEMAP_SLICE)]
    const rest = skip % SITEMAP_SLICE
    let place =
      start === undefined || rest === 0
        ? start
        : await this.#readSlice(() => store.findIndexedPlace(siteId, start, rest))
    for (let left = limit; left > 0 && place !== undefined; left -= INDEXED_AT_ONCE) {
      const wanted = Math.min(left, INDEXED_AT_ONCE)
      const after = place
      const some: readonly SitemapArticle[] = await this.#readSlice(() =>
        store.listIndexed(siteId, after, wanted),
      )
      for (const { slug, language, editedDate, translations } of some) {
        const others = translations.map((each) => ({ slug: each.slug, language: toCode(each.language) }))
        yield { slug, language: toCode(language), editedDate, translations: others }
      }
      place = some.length < wanted ? undefined : some.at(-1)
    }
  }

  /** Reads one slice at a time for all requests. Reads are synchronous, so other requests run in between. */
  #readSlice<Slice>(read: () => Promise<Slice>): Promise<Slice> {
    return this.#limitSlices(async () => {
      await turn()
      return read()
    })
  }

  listLatest(language: string, limit: number): Promise<readonly LatestPage[]> {
    const { catalog } = this.#parts
    return catalog.rememberLong(`latest ${limit} ${language}`, () => this.#readLatest(language, limit))
  }

  async #readLatest(language: string, limit: number): Promise<LatestPage[]> {
    const { store, siteId, catalog } = this.#parts
    const found = await store.listLatest(siteId, await catalog.toStored(language), limit)
    const listed = await this.#toListed(found)
    return listed.map((page, index) => ({ ...page, editedDate: found[index]?.editedDate ?? '' }))
  }

  #scopeOf(viewer: Viewer) {
    return { siteId: this.#parts.siteId, visibility: VISIBILITY_OF[viewer] }
  }

  async #findTag(slug: string, language: string): Promise<FoundTag | undefined> {
    const { store, siteId, catalog } = this.#parts
    return isSlug(slug) ? store.findReaderTag(siteId, slug, await catalog.toStored(language)) : undefined
  }

  async #taxonOf({ categoryId, tag, language }: ListQuery): Promise<TaxonFilter | 'none' | undefined> {
    if (categoryId !== undefined) return { kind: 'category', id: categoryId }
    if (tag === undefined) return undefined
    const found = await this.#findTag(tag, language)
    return found ? { kind: 'tag', id: found.id } : 'none'
  }

  async #toTag({ name, slug, slugs }: FoundTag): Promise<PageTag> {
    return { name, slug, slugs: await this.#byCode(slugs) }
  }

  #toListed(articles: readonly ReaderArticle[]): Promise<ListedPage[]> {
    const toListed = async ({ id, name, slug, language, excerpt, isDraft }: ReaderArticle) => {
      const code = await this.#parts.catalog.toCode(language)
      return { id, title: name, slug, language: code, excerpt, isDraft }
    }
    return Promise.all(articles.map(toListed))
  }

  async #toPage(row: ReadArticle, viewer: Viewer): Promise<ArticlePage> {
    const { store, catalog } = this.#parts
    const [listed] = (await this.#toListed([row])) as [ListedPage]
    const categoryIds = (await store.listCategoryIds([row.id])).get(row.id) ?? []
    const paths = await Promise.all(Array.from(categoryIds, (id) => catalog.pathTo(id, listed.language)))
    const tags = await store.listReaderTags(row.id, row.language)
    const translations = await store.listReaderTranslations(this.#scopeOf(viewer), row)
    const page = {
      ...listed,
      categoryPaths: paths.filter((path) => path.length > 0),
      tags: tags.map(({ name, slug }) => ({ name, slug })),
      translations: await this.#toListed(translations),
      editedDate: row.editedDate,
      isHidden: row.hideFromSearch,
      image: row.seoBannerUrl,
      writing: undefined,
    }
    return {
      ...page,
      // Every edit has another date, so the date identifies the text.
      version: digestParts([JSON.stringify(page)]),
      pictureSizes: (names) => store.pictureSizes(this.#parts.siteId, names),
      readHtml: (limitBytes) => store.readReaderContent(this.#scopeOf(viewer), row.id, limitBytes),
    }
  }
}

/** True if a text may be a slug: at most 200 characters, all of which the driver can store. */
function isSlug(text: string): boolean {
  return text.length <= 400 && text.isWellFormed() && !text.includes('\0')
}

/** Maximum length of a position. Longer ones are not from here. */
const LONGEST = 4000

/** Encodes a position in a list of articles, for a URL. */
function writePlace({ order, name, id }: ReaderArticle): string {
  return Buffer.from(JSON.stringify([order, name, id])).toString('base64url')
}

/** Decodes a position; returns the start of the list for an invalid one. */
function readPlace(text: string | undefined): ListPlace {
  if (text === undefined || text.length > LONGEST) return LIST_START
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(place)) return LIST_START
    const [order, name, id] = place as unknown[]
    const isPlace = typeof order === 'number' && typeof name === 'string' && typeof id === 'string'
    return isPlace ? { order, name: name.toWellFormed(), id: id.toWellFormed() } : LIST_START
  } catch {
    return LIST_START
  }
}
