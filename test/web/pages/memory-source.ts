// A knowledge base in memory, as a source of pages: the articles of a test are its data.
import type {
  ArticlePage,
  ListedPage,
  ListQuery,
  PageCategory,
  PageLink,
  PageSource,
  Viewer,
} from '../../../src/web/pages/page-source.ts'
import type { Passage } from '../../../src/web/pages/search/passage-in.ts'

export interface MemoryArticle extends Partial<Omit<ArticlePage, 'tags' | 'categoryPaths' | 'readHtml'>> {
  readonly html?: string
  readonly title: string
  readonly slug: string
  /** Slug in the default language. */
  readonly category?: string
  readonly tags?: readonly string[]
  /** Slug of the original. */
  readonly translationOf?: string
  readonly order?: number
}

export interface MemoryCategory {
  readonly slug: string
  readonly name: string
  readonly parent?: string
  readonly description?: string
  readonly longDescription?: string
  readonly icon?: string
  readonly thumbnail?: string
  readonly translations?: Readonly<Record<string, { readonly name: string; readonly slug: string }>>
}

export interface MemoryBase {
  readonly name?: string
  readonly languages?: readonly string[]
  readonly categories?: readonly MemoryCategory[]
  readonly tags?: readonly PageLink[]
  readonly articles: readonly MemoryArticle[]
}

/** @param base read again at each call, so that changes by a test are visible */
export function createMemorySource(base: MemoryBase): PageSource {
  const languages = base.languages ?? ['en']
  const [first = 'en'] = languages
  const categories = base.categories ?? []
  const languageOf = (article: MemoryArticle) => article.language ?? first
  const seenBy = (viewer: Viewer) =>
    base.articles.filter((article) => viewer === 'author' || article.isDraft !== true)
  const originalOf = (article: MemoryArticle) => article.translationOf ?? article.slug
  const listed = (article: MemoryArticle): ListedPage => ({
    id: article.id ?? `${languageOf(article)}/${article.slug}`,
    title: article.title,
    slug: article.slug,
    language: languageOf(article),
    excerpt: article.excerpt ?? '',
    isDraft: article.isDraft ?? false,
  })
  const categoryIn = (category: MemoryCategory, language: string): PageLink =>
    category.translations?.[language] ?? { name: category.name, slug: category.slug }
  const pathOf = (slug: string | undefined, language: string): PageLink[] => {
    const category = categories.find((each) => each.slug === slug)
    return category === undefined
      ? []
      : [...pathOf(category.parent, language), categoryIn(category, language)]
  }

  function select({ viewer, language, categoryId, tag }: Omit<ListQuery, 'limit'>): MemoryArticle[] {
    return seenBy(viewer)
      .filter((each) => languageOf(each) === language)
      .filter((each) => categoryId === undefined || each.category === categoryId)
      .filter((each) => tag === undefined || each.tags?.includes(tag))
      .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0) || (a.title < b.title ? -1 : 1))
  }

  const indexed = () => seenBy('reader').filter((each) => each.isHidden !== true)

  return {
    site: async () => ({ name: base.name ?? 'Help', languages }),
    listCategories: async ({ viewer, language }) =>
      categories.map((category): PageCategory => ({
        id: category.slug,
        parentId: category.parent,
        ...categoryIn(category, language),
        description: category.description ?? '',
        icon: category.icon ?? '',
        thumbnail: category.thumbnail ?? '',
        articles: select({ viewer, language, categoryId: category.slug }).length,
      })),
    findSource: async (id) => `guides/${id}.md`,
    readLongDescription: async (id) => categories.find(({ slug }) => slug === id)?.longDescription ?? '',
    findTag: async (slug) => {
      const tag = base.tags?.find((each) => each.slug === slug)
      return tag && { ...tag, slugs: new Map(languages.map((language) => [language, slug])) }
    },
    listArticles: async (query) => {
      const all = select(query)
      const from = Number(query.after ?? 0)
      const end = from + query.limit
      return { articles: all.slice(from, end).map(listed), next: end < all.length ? String(end) : undefined }
    },
    listAround: async ({ id, limit, ...query }) => {
      const all = select(query).map(listed)
      const at = all.findIndex((each) => each.id === id)
      return at === -1 ? [] : all.slice(Math.max(0, at - limit), at + limit + 1)
    },
    findRedirect: async () => undefined,
    findMovedTaxa: async () => [],
    findArticle: async ({ slug, language }, viewer) => {
      const found = seenBy(viewer).filter((each) => each.slug === slug)
      const article =
        language === undefined
          ? (found.find((each) => languageOf(each) === first) ?? found[0])
          : found.find((each) => languageOf(each) === language)
      if (article === undefined) return undefined
      const own = languageOf(article)
      const path = pathOf(article.category, own)
      return {
        ...listed(article),
        version: article.version ?? '1',
        readHtml: () => Promise.resolve(article.html ?? '<p>Text.</p>'),
        categoryPaths: path.length === 0 ? [] : [path],
        tags: (base.tags ?? []).filter((tag) => article.tags?.includes(tag.slug)),
        translations: seenBy(viewer)
          .filter((each) => each !== article && originalOf(each) === originalOf(article))
          .map(listed),
        editedDate: article.editedDate,
        isHidden: article.isHidden ?? false,
        image: article.image ?? '',
        writing: article.writing,
      }
    },
    search: async ({ viewer, text, language, skip, limit }) => {
      const found = select({ viewer, language }).filter((each) =>
        each.title.toLowerCase().includes(text.toLowerCase()),
      )
      const hits = found
        .slice(skip, skip + limit)
        .map((each) => ({
          ...listed(each),
          category: pathOf(each.category, language),
          passage: markWord(each.excerpt ?? '', text),
        }))
      return { total: found.length, ranked: found.length, hits }
    },
    countIndexed: async () => indexed().length,
    indexed: async function* (skip, limit) {
      for (const article of indexed().slice(skip, skip + limit)) {
        yield {
          ...listed(article),
          editedDate: article.editedDate,
          translations: (languages.length === 1 ? [] : indexed())
            .filter((each) => each !== article && originalOf(each) === originalOf(article))
            .map(listed),
        }
      }
    },
    listLatest: async (language, limit) =>
      indexed()
        .filter((each) => languageOf(each) === language)
        .map((each) => ({ ...listed(each), editedDate: each.editedDate ?? '' }))
        .toSorted((a, b) => (a.editedDate < b.editedDate ? 1 : -1))
        .slice(0, limit),
    status: {
      now: () => new Date('2026-03-01T12:00:00Z'),
      sync: () => undefined,
      countArticles: async () => ({ published: seenBy('reader').length, drafts: 0 }),
      lastChange: async () => undefined,
      dueWithinDays: () => 30,
      articles: async function* () {},
      brokenLinks: async function* () {},
      linkChecks: async () => ({ kind: 'off' }),
    },
  }
}

function markWord(text: string, word: string): Passage {
  const parts = text.split(new RegExp(`(\\b${word}\\b)`, 'i'))
  return parts
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
