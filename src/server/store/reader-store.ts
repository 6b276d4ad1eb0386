import { setImmediate as turn } from 'node:timers/promises'
import { listRedirects, redirectQueries } from './redirects.ts'
import {
  type PlacedArguments,
  readerArticleQueries,
  redirectedArticles,
  sourceQueries,
} from './reader-article-queries.ts'
import {
  type AroundArguments,
  LIST_START,
  type ListArguments,
  type MovedTaxa,
  type ReaderArticle,
  type ListPlace,
  type ReadArticle,
  type ReaderScope,
  type TaxonFilter,
  type RedirectPlace,
  type RedirectHit,
  type ArticleSource,
} from './reader-data.ts'
import { createReaderReports } from './reader-reports.ts'
import { readerTaxonQueries } from './reader-taxon-queries.ts'
import type { LinkStore } from './link-store.ts'
import type { Database, Session } from './query.ts'

/** Number of articles of a category or tag above which they are searched in list order. */
const MANY = 2000

/** Number of articles counted in one slice. */
const COUNTED_AT_ONCE = 2000

interface ListedRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly language: string
  readonly excerpt: string
  readonly order_by: number
  readonly status: string
}

/** The queries of the readers' pages. Lists are read in pages of entries after a position. */
export function createReaderStore(database: Database, links: Pick<LinkStore, 'catchUpBriefly'>) {
  const { reader } = database

  return {
    ...createReaderReports(reader, links),
    ...createReaderTaxa(reader),
    ...createRedirects(database),
    ...createSources(database),
    /** Sorted by order, name (by code point), id. */
    listReaderArticles: async (list: ListArguments) => (await listRows(reader, list)).map(toListed),
    /** In the same order, including the article itself; empty if it is not visible. */
    listReaderArticlesAround: (around: AroundArguments) => listAround(reader, around),
    async findReaderArticle({ siteId, visibility }: ReaderScope, language: string, slug: string) {
      const row = await reader.first(readerArticleQueries[visibility].bySlug, { siteId, language, slug })
      return row && toRead(row)
    },
    /** Returns articles by id, with the beginnings of their contents, if they are visible and not hidden from search. */
    async listSearchedArticles(scope: ReaderScope, ids: readonly string[], characters: number) {
      const query = readerArticleQueries[scope.visibility].searched
      const rows = await reader.all(query, { ids: JSON.stringify(ids), characters })
      const own = rows.filter(({ site_id }) => site_id === scope.siteId)
      return new Map(own.map((row) => [row.id, { ...toRead(row), content: row.content }]))
    },
    /** Returns a content by id; undefined if it is not visible or larger. */
    async readReaderContent({ siteId, visibility }: ReaderScope, id: string, contentBytes: number) {
      const row = await reader.first(readerArticleQueries[visibility].content, { siteId, id, contentBytes })
      return row?.content ?? undefined
    },
    /** Returns the original of `article` and its translations, except those in its own language. */
    async listReaderTranslations({ siteId, visibility }: ReaderScope, article: ReadArticle) {
      const originalId = article.languageParent ?? article.articleParent ?? article.id
      const rows = await reader.all(readerArticleQueries[visibility].translations, { siteId, originalId })
      return rows.filter(({ language }) => language !== article.language).map(toListed)
    },
    /** Counts the articles directly in each category, or translation of one, by its id. Works in slices. */
    countReaderArticles: (scope: ReaderScope, language: string) => countByCategory(reader, scope, language),
    /** Counts the articles directly in a category or in a translation of it, each once. */
    async countInCategory({ siteId, visibility }: ReaderScope, language: string, categoryId: string) {
      const counted = { siteId, language, taxonId: categoryId }
      const row = await reader.first(readerArticleQueries[visibility].countInCategory, counted)
      return row?.articles ?? 0
    },
  }
}

/** Categories and tags. */
function createReaderTaxa(reader: Session) {
  return {
    async listReaderCategories(siteId: string) {
      const rows = await reader.all(readerTaxonQueries.categories, { siteId })
      return rows.map(({ language_parent, order_by, parent_id, icon_url, thumbnail_url, ...row }) => ({
        ...row,
        languageParent: language_parent,
        order: order_by,
        parentId: parent_id,
        icon: icon_url,
        thumbnail: thumbnail_url,
      }))
    },
    /** Returns the HTML of the translation of a category, or else of the category itself; '' without one. */
    async readLongDescription(siteId: string, id: string, language: string) {
      const row = await reader.first(readerTaxonQueries.longDescription, { siteId, id, language })
      return row?.long_description ?? ''
    },
    /** Returns the ids of the originals of the categories of articles, in their order, by the id of the article. */
    async listCategoryIds(articleIds: readonly string[]) {
      const rows = await reader.all(readerTaxonQueries.categoryIds, { ids: JSON.stringify(articleIds) })
      const found = new Map<string, Set<string>>()
      for (const { articleId, id } of rows) found.set(articleId, (found.get(articleId) ?? new Set()).add(id))
      return found
    },
    /** Returns an article's tags, with names in `language` if they are translated. */
    async listReaderTags(articleId: string, language: string) {
      const rows = await reader.all(readerTaxonQueries.tags, { articleId, language })
      return [...new Map(rows.map((row) => [row.id, row])).values()]
    },
    /**
     * Returns items that have or had a slug, with the language of the slug, and their slugs by language. Current slugs
     * of a language precede former ones, and earlier languages precede later ones.
     */
    async findMovedTaxa(siteId: string, { kind, slug, languages }: MovedTaxa) {
      const found = await reader.all(readerTaxonQueries.atSlug[kind], { siteId, slug })
      const rankOf = ({ language, isMoved }: (typeof found)[number]) =>
        languages.indexOf(language) * 2 + isMoved
      const known = found.filter(({ language }) => languages.includes(language))
      const ranked = known.toSorted((a, b) => rankOf(a) - rankOf(b))
      return Promise.all(
        ranked.map(async ({ id, language, isMoved }) => {
          const family = await reader.all(readerTaxonQueries.family[kind], { originalId: id })
          return { from: language, slugs: slugsOf(family), isMoved: isMoved === 1 }
        }),
      )
    },
    /** Finds a tag by its slug in `language`, otherwise in the default language. */
    async findReaderTag(siteId: string, slug: string, language: string) {
      const found =
        (await reader.first(readerTaxonQueries.tagBySlug, { siteId, language, slug })) ??
        (await reader.first(readerTaxonQueries.tagBySlug, { siteId, language: '', slug }))
      if (found === undefined) return undefined
      const family = await reader.all(readerTaxonQueries.family.tag, { originalId: found.id })
      const own = family.find((each) => each.language === language) ?? family[0]
      return own && { id: found.id, name: own.name, slug: own.slug, slugs: slugsOf(family) }
    },
  }
}

function createRedirects(database: Database) {
  const { reader } = database
  return {
    /** Returns the visible articles that a slug redirects to, by the language of the slug. */
    async findRedirects({ siteId, visibility }: ReaderScope, slug: string) {
      const rows = await reader.all(redirectedArticles, { siteId, slug })
      const visible = rows.filter(({ status }) => visibility === 'all' || status === 'published')
      return new Map(visible.map((row) => [row.from, toRead(row)]))
    },
    /** Sorted by kind, slug and language. Omits slugs that a published article, a category or a tag has now. */
    listRedirects: (siteId: string, after: RedirectPlace, limit: number) =>
      listRedirects(reader, siteId, after, limit),
    addRedirectHits: (siteId: string, hits: readonly RedirectHit[], now: string) =>
      database.writeWithoutRevision(siteId, async (session) => {
        for (const { kind, ...each } of hits)
          await session.run(redirectQueries[kind].countHits, { ...each, siteId, now })
      }),
  }
}

function createSources(database: Database) {
  return {
    /** Stores the files of articles. Ignores unknown articles, and those of other sites. */
    setSources: (siteId: string, sources: readonly ArticleSource[]) =>
      database.writeWithoutRevision(siteId, async (session) => {
        for (const { id, path } of sources) await session.run(sourceQueries.set, { siteId, id, path })
      }),
    /** Returns the file of an article; undefined if it is unknown. */
    findSource: async (siteId: string, id: string) =>
      (await database.reader.first(sourceQueries.find, { siteId, id }))?.path,
  }
}

function toListed({ order_by, status, id, name, slug, language, excerpt }: ListedRow): ReaderArticle {
  return { id, name, slug, language, excerpt, order: order_by, isDraft: status === 'draft' }
}

interface ReadRow extends ListedRow {
  readonly language_parent: string | null
  readonly article_parent: string | null
  readonly last_edited_date: string
  readonly hide_from_search: number
  readonly seo_banner_url: string
}

function toRead(row: ReadRow): ReadArticle {
  return {
    ...toListed(row),
    languageParent: row.language_parent,
    articleParent: row.article_parent,
    editedDate: row.last_edited_date,
    hideFromSearch: row.hide_from_search === 1,
    seoBannerUrl: row.seo_banner_url,
  }
}

async function isLarge(reader: Session, { kind, id }: TaxonFilter): Promise<boolean> {
  const size = await reader.first(readerTaxonQueries.size[kind], { taxonId: id, limit: MANY })
  return (size?.articles ?? 0) >= MANY
}

async function listRows(reader: Session, { taxon, visibility, after, ...rest }: ListArguments) {
  const { siteId, language, limit } = rest
  const list = { siteId, language, limit, order: after.order, name: after.name, id: after.id }
  if (taxon === undefined) return reader.all(readerArticleQueries[visibility].all, list)
  const ways = readerArticleQueries[visibility].ofTaxon[taxon.kind]
  return reader.all((await isLarge(reader, taxon)) ? ways.many : ways.few, { ...list, taxonId: taxon.id })
}

async function listAround(reader: Session, asked: AroundArguments) {
  const { siteId, visibility, language, categoryId, id, limit } = asked
  const own = await reader.first(readerArticleQueries[visibility].listed, { siteId, id })
  if (own === undefined) return []
  const size = (await isLarge(reader, { kind: 'category', id: categoryId })) ? 'many' : 'few'
  const place = { order: own.order_by, name: own.name, id, siteId, language, taxonId: categoryId, limit }
  const before = await reader.all(readerArticleQueries[visibility].beforeInCategory[size], place)
  const after = await reader.all(readerArticleQueries[visibility].ofTaxon.category[size], place)
  return [...before.toReversed(), own, ...after].map(toListed)
}

async function countByCategory(reader: Session, { siteId, visibility }: ReaderScope, language: string) {
  const counts = new Map<string, number>()
  let place: ListPlace | undefined = LIST_START
  while (place !== undefined) {
    const from: PlacedArguments = { ...place, siteId, language, limit: COUNTED_AT_ONCE }
    const rows = await reader.all(readerArticleQueries[visibility].countByCategory, from)
    for (const { category_id, articles } of rows)
      counts.set(category_id, articles + (counts.get(category_id) ?? 0))
    place = await reader.first(readerArticleQueries[visibility].placeBehind, {
      ...from,
      limit: COUNTED_AT_ONCE - 1,
    })
    await turn()
  }
  return counts
}

/** By language. */
function slugsOf(family: readonly { readonly slug: string; readonly language: string }[]) {
  return new Map(family.map(({ language, slug }) => [language, slug]))
}
