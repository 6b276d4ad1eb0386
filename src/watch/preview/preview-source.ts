import { closeSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { imageTypeOf } from '../../content/assets/asset-types.ts'
import { openInside } from '../../content/assets/open-inside.ts'
import { digest, digestParts } from '../../core/digest.ts'
import { findAtSlug } from '../../content/category-tree/tag-list.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalTag } from '../../core/model/taxonomy.ts'
import type { PictureSize } from '../../core/stored-file-names.ts'
import type { ContentIndex } from './content-index.ts'
import type { PreviewAddress, PreviewState } from './preview-state.ts'
import type {
  ArticlePage,
  IndexedPage,
  LatestPage,
  WrittenArticle,
  ListedPage,
  PageLink,
  ListQuery,
  PageCategory,
  PageList,
  PageSource,
  SearchHit,
} from '../../web/pages/page-source.ts'
import { pictureSizeOf } from '../../web/picture-size.ts'
import { findPassage, markTerms } from '../../web/pages/search/passage-in.ts'
import { runSteps } from '../../web/pages/search/steps.ts'
import type { StatusSource } from '../../web/dashboard/status-source.ts'
import type { PreviewResults, PreviewSearch } from './preview-search.ts'
import { tryTo } from '../../core/try-to.ts'

/** Provides the content for the pages while it is edited: everything, including drafts, for every viewer. */
export function createPreviewSource(
  state: PreviewState,
  search: PreviewSearch,
  status: StatusSource,
): PageSource {
  return {
    site: () => {
      search.prepare()
      return Promise.resolve({ name: state.settings().pages.name, languages: languagesOf(state) })
    },
    listCategories: ({ language }) => Promise.resolve(listCategories(state, language)),
    readLongDescription: (id, language) => {
      const category = state.index()?.layout.tree.byId.get(id)
      return Promise.resolve(
        category?.translations[language]?.longDescription ?? category?.longDescription ?? '',
      )
    },
    findTag: (slug, language) => {
      const tag = state.index()?.layout.tags.atSlug(slug, language)
      const slugs = tag && languagesOf(state).map((each) => [each, linkIn(tag, each).slug] as const)
      return Promise.resolve(tag && { ...linkIn(tag, language), slugs: new Map(slugs) })
    },
    listArticles: (query) => Promise.resolve(listArticles(state, query)),
    listAround: (query) => Promise.resolve(listAround(state, query)),
    findArticle: (place) => Promise.resolve(findPage(state, place)),
    findRedirect: (place) => Promise.resolve(findAlias(state, place) ?? findTranslation(state, place)),
    findMovedTaxa: (place) => Promise.resolve(findMovedTaxa(state, place)),
    findSource: (source) => Promise.resolve(source),
    search: async (query) => {
      const found = await search.search(query)
      const { total, ranked, ids } = found
      return { total, ranked, hits: ids.flatMap((source) => hitOf(state, source, found) ?? []) }
    },
    countIndexed: () => Promise.resolve(listIndexed(state).length),
    indexed: (skip, limit) => indexedPages(state, skip, limit),
    listLatest: (language, limit) => Promise.resolve(listLatest(state, language, limit)),
    status,
  }
}

/** Lists the articles that search engines would index once the content is published. */
function listIndexed(state: PreviewState): LocalArticle[] {
  const articles = state.index()?.content.articles ?? []
  return articles.filter(isIndexed)
}

function isIndexed({ status, hideFromSearch }: LocalArticle): boolean {
  return status === 'published' && !hideFromSearch
}

async function* indexedPages(state: PreviewState, skip: number, limit: number): AsyncGenerator<IndexedPage> {
  for (const article of listIndexed(state).slice(skip, skip + limit)) {
    const translations = state.index()?.translationsOf(article).filter(isIndexed) ?? []
    const { slug, language } = listedPage(article, state)
    yield {
      slug,
      language,
      editedDate: undefined,
      translations: translations.map((each) => listedPage(each, state)),
    }
  }
}

/** Sorts by the time of the files. The server will use the time when it received them. */
function listLatest(state: PreviewState, language: string, limit: number): LatestPage[] {
  const { contentRoot } = state.settings()
  return listIndexed(state)
    .map((article) => listedPage(article, state))
    .filter((page) => page.language === language)
    .flatMap((page) => {
      const changed = statSync(join(contentRoot, page.id), { throwIfNoEntry: false })?.mtime
      return changed === undefined ? [] : [{ ...page, editedDate: changed.toISOString() }]
    })
    .toSorted((a, b) => (a.editedDate < b.editedDate ? 1 : -1))
    .slice(0, limit)
}

/** Returns the default language, those of the server, and those of the articles. */
function languagesOf(state: PreviewState): readonly string[] {
  const { defaultLanguage, server } = state.settings()
  return [...new Set([defaultLanguage, ...server.languages, ...(state.index()?.layout.languages ?? [])])]
}

function listCategories(state: PreviewState, language: string): PageCategory[] {
  const index = state.index()
  if (index === undefined) return []
  const members = index.layout.byCategory(language)
  return index.layout.tree.categories.map((category) => ({
    id: category.id,
    parentId: category.parentId,
    ...linkIn(category, language),
    description: category.translations[language]?.description ?? category.description,
    icon: category.icon,
    thumbnail: category.thumbnail,
    articles: members.get(category.id)?.length ?? 0,
  }))
}

function listArticles(state: PreviewState, { language, categoryId, tag, after, limit }: ListQuery): PageList {
  const index = state.index()
  if (index === undefined) return { articles: [], next: undefined }
  const { sorted, byCategory, tags } = index.layout
  const listed = categoryId === undefined ? sorted(language) : (byCategory(language).get(categoryId) ?? [])
  const wanted = tag === undefined ? undefined : tags.atSlug(tag, language)
  const articles =
    tag === undefined
      ? listed
      : listed.filter((article) => index.tagsOf(article).some((each) => each === wanted))
  // A position in the list. If an article is removed, the rest moves by one, and the open page is updated.
  const start = Number.parseInt(after ?? '0', 10) || 0
  const end = start + limit
  return {
    articles: articles
      .slice(start, end)
      .flatMap(({ source }) => index.bySource(source) ?? [])
      .map((article) => listedPage(article, state)),
    next: end < articles.length ? String(end) : undefined,
  }
}

function listAround(state: PreviewState, query: Parameters<PageSource['listAround']>[0]): ListedPage[] {
  const { language, categoryId, id, limit } = query
  const index = state.index()
  const listed = index?.layout.byCategory(language).get(categoryId) ?? []
  const at = listed.findIndex(({ source }) => source === id)
  if (at === -1) return []
  return listed
    .slice(Math.max(0, at - limit), at + limit + 1)
    .flatMap(({ source }) => index?.bySource(source) ?? [])
    .map((article) => listedPage(article, state))
}

function hitOf(state: PreviewState, source: string, { finder }: PreviewResults): SearchHit | undefined {
  const index = state.index()
  const article = index?.bySource(source)
  if (index === undefined || article === undefined) return undefined
  const [category] = categoryPathsOf(article, index, state)
  const text = runSteps(findPassage(index.content.readHtml(article), finder)) ?? article.excerpt
  const passage = markTerms(text, finder)
  return { ...listedPage(article, state), category: category ?? [], passage }
}

/**
 * Finds the page for a URL: the article with this slug, otherwise one that had it earlier in this run, otherwise a file
 * with errors that cannot be shown yet.
 */
function findPage(state: PreviewState, place: PreviewAddress): ArticlePage | undefined {
  const index = state.index()
  if (index === undefined) return undefined
  const article = index.find(place.slug, place.language) ?? state.movedFrom(place)
  if (article !== undefined) return pageOf(article, index, state)
  const source = state.unshownAt(place.slug)
  return source === undefined ? undefined : emptyPage(source, place, state)
}

function findAlias(state: PreviewState, { slug, language }: PreviewAddress): ListedPage | undefined {
  const declaring = state.index()?.content.articles.filter(({ aliases }) => aliases?.includes(slug)) ?? []
  return declaring
    .map((article) => listedPage(article, state))
    .find((page) => language === undefined || page.language === language)
}

/** Finds the translation of an article whose slug is in another language than the URL. */
function findTranslation(state: PreviewState, { slug, language }: PreviewAddress): ListedPage | undefined {
  const index = state.index()
  if (index === undefined || language === undefined) return undefined
  const original = index.find(slug, undefined)
  const family = original === undefined ? [] : index.translationsOf(original)
  return family.map((each) => listedPage(each, state)).find((each) => each.language === language)
}

function findMovedTaxa(
  state: PreviewState,
  { kind, slug, language }: Parameters<PageSource['findMovedTaxa']>[0],
): Awaited<ReturnType<PageSource['findMovedTaxa']>> {
  const layout = state.index()?.layout
  if (layout === undefined) return []
  const entries = kind === 'tag' ? layout.tags.all : layout.tree.categories
  const { defaultLanguage } = state.settings()
  const found = findAtSlug(entries, slug, language ?? defaultLanguage) ?? state.taxonMovedFrom(kind, slug)
  if (found === undefined) return []
  const [from = defaultLanguage] =
    Object.entries(found.translations).find(([, texts]) => found.slug !== slug && texts.slug === slug) ?? []
  return [{ from, slugs: new Map(languagesOf(state).map((each) => [each, linkIn(found, each).slug])) }]
}

function pageOf(article: LocalArticle, index: ContentIndex, state: PreviewState): ArticlePage {
  const listed = listedPage(article, state)
  const shown: Omit<ArticlePage, 'readHtml' | 'version'> = {
    ...listed,
    categoryPaths: categoryPathsOf(article, index, state),
    tags: index.tagsOf(article).map((tag) => linkIn(tag, listed.language)),
    translations: index.translationsOf(article).map((other) => {
      const { slug, language, title } = listedPage(other, state)
      return { slug, language, title }
    }),
    editedDate: undefined,
    isHidden: article.hideFromSearch,
    image: article.seoBannerUrl ?? '',
    writing: writingOf(article, state),
    pictureSizes: (names) => Promise.resolve(pictureSizesIn(state, new Set(names))),
  }
  const version = digestParts([article.contentHash, JSON.stringify(shown)])
  const html = index.content.readHtml(article)
  return { ...shown, version, readHtml: () => Promise.resolve(html) }
}

/** Number of bytes within which every picture states its size, including photos with an embedded preview. */
const SIZED_BYTES = 1 << 18

/** Returns the sizes of files that the target stores, computed as by the target after the upload. */
function pictureSizesIn(state: PreviewState, names: ReadonlySet<string>): ReadonlyMap<string, PictureSize> {
  const { contentRoot } = state.settings()
  const stored = state.view()?.content?.assets.flatMap((asset) => asset.stored ?? []) ?? []
  const sizes = new Map<string, PictureSize>()
  for (const { name, source } of stored) {
    if (!names.has(name) || imageTypeOf(name) === undefined) continue
    const opened = openInside(contentRoot, source)
    if (opened.kind !== 'opened') continue
    try {
      const head = Buffer.alloc(SIZED_BYTES)
      const size = pictureSizeOf(head.subarray(0, readSync(opened.descriptor, head)))
      if (size !== undefined) sizes.set(name, size)
    } finally {
      closeSync(opened.descriptor)
    }
  }
  return sizes
}

function categoryPathsOf(article: LocalArticle, index: ContentIndex, state: PreviewState): PageLink[][] {
  const { language } = listedPage(article, state)
  const { layout } = index
  return layout
    .categoriesOf(article)
    .map((category) => layout.tree.wayTo(category).map((entry) => linkIn(entry, language)))
}

function emptyPage(source: string, { slug, language }: PreviewAddress, state: PreviewState): ArticlePage {
  const file = state.fileOf(source)
  const writing = {
    file,
    diagnostics: state.diagnosticsOf(source),
    isHeldBack: true,
    shows: 'nothing',
  } as const
  return {
    id: source,
    title: file,
    slug,
    language: language ?? state.settings().defaultLanguage,
    excerpt: '',
    isDraft: false,
    version: digestParts([JSON.stringify(writing)]),
    readHtml: () => Promise.resolve(''),
    categoryPaths: [],
    tags: [],
    translations: [],
    editedDate: undefined,
    isHidden: false,
    image: '',
    writing,
  }
}

function writingOf({ source, sourceHash }: LocalArticle, state: PreviewState): WrittenArticle {
  const isHeldBack = state.view()?.heldBack.has(source) ?? false
  return {
    file: state.fileOf(source),
    diagnostics: state.diagnosticsOf(source),
    isHeldBack,
    shows: isHeldBack && !isOnDisk(source, sourceHash, state) ? 'last-good' : 'current',
  }
}

/** True if the file still has the shown text. An article that is held back only because of a link is shown as it is. */
function isOnDisk(source: string, sourceHash: string, state: PreviewState): boolean {
  return tryTo(() => digest(readFileSync(join(state.settings().contentRoot, source))) === sourceHash, false)
}

function listedPage(article: LocalArticle, state: PreviewState): ListedPage {
  const { source, title, slug, language, excerpt, status } = article
  return {
    id: source,
    title,
    slug,
    language: language ?? state.settings().defaultLanguage,
    excerpt,
    isDraft: status === 'draft',
  }
}

function linkIn(
  entry: PageLink & { readonly translations: LocalTag['translations'] },
  language: string,
): PageLink {
  const { name, slug } = entry.translations[language] ?? entry
  return { name, slug }
}
