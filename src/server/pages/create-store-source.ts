import type {
  ArticlePage,
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
  type ReaderArticle,
  type ReadArticle,
  type TaxonFilter,
  LIST_START,
  type ListPlace,
} from '../store/reader-data.ts'
import type { Store } from '../store/store.ts'
import { SIGHTS, type SiteCatalog } from './site-catalog.ts'
import type { StoreSearch } from './store-search.ts'

interface StoreSourceParts {
  readonly store: Store
  readonly siteId: string
  /** Name of the knowledge base. */
  readonly name: string
  readonly catalog: SiteCatalog
  readonly search: StoreSearch
  readonly status: PageSource['status']
}

/** The pages of one site, from the store. */
export function createStoreSource(parts: StoreSourceParts): PageSource {
  const { store, siteId, catalog } = parts
  const scopeOf = (viewer: Viewer) => ({ siteId, sight: SIGHTS[viewer] })

  const toListed = async (article: ReaderArticle): Promise<ListedPage> => ({
    id: article.id,
    title: article.name,
    slug: article.slug,
    language: await catalog.toCode(article.language),
    excerpt: article.excerpt,
    isDraft: article.isDraft,
  })

  async function taxonOf({
    categoryId,
    tag,
    language,
  }: ListQuery): Promise<TaxonFilter | 'none' | undefined> {
    if (categoryId !== undefined) return { kind: 'category', id: categoryId }
    if (tag === undefined) return undefined
    const found = isSlug(tag) && (await store.findReaderTag(siteId, tag, await catalog.toStored(language)))
    return found ? { kind: 'tag', id: found.id } : 'none'
  }

  async function listArticles(query: ListQuery): Promise<PageList> {
    const taxon = await taxonOf(query)
    if (taxon === 'none') return { articles: [], next: undefined }
    const { viewer, language, after, limit } = query
    const found = await store.listReaderArticles({
      ...scopeOf(viewer),
      language: await catalog.toStored(language),
      taxon,
      after: readPlace(after),
      limit: limit + 1,
    })
    const last = found[limit - 1]
    return {
      articles: await Promise.all(found.slice(0, limit).map(toListed)),
      next: last !== undefined && found.length > limit ? writePlace(last) : undefined,
    }
  }

  async function toTag({ name, slug, slugs }: FoundTag): Promise<PageTag> {
    const places = (await catalog.languages()).map(async (code) => {
      const own = slugs.get(await catalog.toStored(code)) ?? slugs.get('') ?? slug
      return [code, own] as const
    })
    return { name, slug, slugs: new Map(await Promise.all(places)) }
  }

  async function findRow(
    { slug, language }: Parameters<PageSource['findArticle']>[0],
    viewer: Viewer,
  ): Promise<ReadArticle | undefined> {
    if (!isSlug(slug)) return undefined
    const codes = language === undefined ? await catalog.languages() : [language]
    for (const code of codes) {
      const row = await store.findReaderArticle(scopeOf(viewer), await catalog.toStored(code), slug)
      if (row !== undefined) return row
    }
    return undefined
  }

  async function toPage(row: ReadArticle, viewer: Viewer): Promise<ArticlePage> {
    const listed = await toListed(row)
    const categoryIds = await store.listCategoryIds(row.id)
    const paths = await Promise.all(categoryIds.map((id) => catalog.pathTo(id, listed.language)))
    const tags = await store.listReaderTags(row.id, row.language)
    const translations = await store.listReaderTranslations(scopeOf(viewer), row)
    const page = {
      ...listed,
      categoryPaths: paths.filter((path) => path.length > 0),
      tags: tags.map(({ name, slug }) => ({ name, slug })),
      translations: await Promise.all(translations.map(toListed)),
      editedDate: row.editedDate,
      writing: undefined,
    }
    return {
      ...page,
      // The date tells of the text: no two edits have the same.
      version: digestParts([JSON.stringify(page)]),
      readHtml: (limitBytes) => store.readReaderContent(scopeOf(viewer), row.id, limitBytes),
    }
  }

  return {
    site: async () => ({ name: parts.name, languages: await catalog.languages() }),
    listCategories: ({ viewer, language }) => catalog.listCategories(viewer, language),
    async findTag(slug, language) {
      if (!isSlug(slug)) return undefined
      const found = await store.findReaderTag(siteId, slug, await catalog.toStored(language))
      return found && toTag(found)
    },
    listArticles,
    async listAround({ viewer, language, ...query }) {
      const stored = await catalog.toStored(language)
      const found = await store.listReaderArticlesAround({ ...query, ...scopeOf(viewer), language: stored })
      return Promise.all(found.map(toListed))
    },
    async findArticle(place, viewer) {
      const row = await findRow(place, viewer)
      return row && toPage(row, viewer)
    },
    search: (query) => parts.search.search(query),
    status: parts.status,
  }
}

/** A slug has 200 characters at most; what the driver could not say again is none. */
function isSlug(text: string): boolean {
  return text.length <= 400 && text.isWellFormed() && !text.includes('\0')
}

/** Longer ones were not made here. */
const LONGEST = 4000

/** A place in a list of articles, as it stands in an address. */
function writePlace({ order, name, id }: ReaderArticle): string {
  return Buffer.from(JSON.stringify([order, name, id])).toString('base64url')
}

/** The start of the list where the text names no place. */
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
