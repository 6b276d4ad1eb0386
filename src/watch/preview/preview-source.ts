import { contextAround } from '../../web/pages/search/context-around.ts'
import { finish } from '../../web/pages/search/steps.ts'
import type {
  ListedPage,
  ListQuery,
  PageCategory,
  PageList,
  PageSource,
  SearchHit,
} from '../../web/pages/page-source.ts'
import type { StatusSource } from '../../web/dashboard/status-source.ts'
import { findPage, linkIn, listedPage } from './find-page.ts'
import type { PreviewSearch } from './preview-search.ts'
import type { PreviewState } from './preview-state.ts'

interface PreviewSourceOptions {
  readonly state: PreviewState
  readonly search: PreviewSearch
  readonly status: StatusSource
}

/** What the pages show of content that is being written: everything, drafts included, for every viewer. */
export function createPreviewSource({ state, search, status }: PreviewSourceOptions): PageSource {
  return {
    site: () => {
      search.prepare()
      return Promise.resolve({ name: state.settings().pages.name, languages: languagesOf(state) })
    },
    listCategories: ({ language }) => Promise.resolve(listCategories(state, language)),
    findTag: (slug, language) => {
      const tag = state.index()?.layout.tags.atSlug(slug, language)
      const slugs = tag && languagesOf(state).map((each) => [each, linkIn(tag, each).slug] as const)
      return Promise.resolve(tag && { ...linkIn(tag, language), slugs: new Map(slugs) })
    },
    listArticles: (query) => Promise.resolve(listArticles(state, query)),
    listAround: (query) => Promise.resolve(listAround(state, query)),
    findArticle: (place) => Promise.resolve(findPage(state, place)),
    search: async (query) => {
      const found = await search.search(query)
      return found.flatMap(({ id, words }) => hitOf(state, id, words) ?? [])
    },
    status,
  }
}

/** The default one, those that the server has, and those that articles are written in. */
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
  // A place in the list: an article that goes meanwhile moves the rest by one, which the open page is told of.
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

function hitOf(state: PreviewState, source: string, words: readonly string[]): SearchHit | undefined {
  const index = state.index()
  const article = index?.bySource(source)
  if (index === undefined || article === undefined) return undefined
  const context = finish(contextAround(index.content.readHtml(article), words)) ?? article.excerpt
  return { ...listedPage(article, state), context }
}
