import type { SiteArticle, SiteBody, SiteCategory, SiteHeading, SiteTag, SiteView } from '../../index.ts'
import { groupByEach } from '../../core/group-by.ts'

/** An item of `collections.kb`. */
export interface EleventyArticle extends SiteArticle {
  /** Computed on access. */
  readonly html: string
  readonly headings: readonly SiteHeading[]
}

/** An item of `collections.kbCategories`. */
export interface EleventyCategory extends SiteCategory {
  /** 1 at the top level. */
  readonly level: number
  readonly children: readonly EleventyCategory[]
  /** The articles directly in it. */
  readonly articles: readonly EleventyArticle[]
}

/** An item of `collections.kbTags`. */
export interface EleventyTag extends SiteTag {
  readonly articles: readonly EleventyArticle[]
}

export interface KbCollections {
  readonly articles: readonly EleventyArticle[]
  /** Parents before children. */
  readonly categories: readonly EleventyCategory[]
  readonly tags: readonly EleventyTag[]
}

type ReadBody = (id: string) => SiteBody | undefined

const NO_BODY: SiteBody = { html: '', headings: [] }
/** Prototype of items. Eleventy copies or wraps plain objects for every page, but not those with another prototype. */
const ITEM = {}

/** Returns the content as template data. */
export function collectArticles(view: SiteView, readBody: ReadBody): KbCollections {
  const read = rememberingLast(readBody)
  const articles = view.articles.map((article) => articleItem(article, read))
  const tagged = groupByEach(articles, ({ tags }) => tags)
  return {
    articles,
    categories: collectCategories(
      view.categories,
      groupByEach(articles, ({ categories }) => categories),
    ),
    tags: view.tags.map((tag) => item({ ...tag, articles: tagged.get(tag.id) ?? [] })),
  }
}

function item<T extends object>(properties: T): T {
  return Object.assign(Object.create(ITEM) as object, properties)
}

/** Makes bodies non-enumerable, because code that iterates over all properties would read all of them. */
function articleItem(article: SiteArticle, read: (id: string) => SiteBody): EleventyArticle {
  const { id } = article
  return Object.defineProperties(item(article), {
    html: { get: () => read(id).html },
    headings: { get: () => read(id).headings },
  }) as EleventyArticle
}

/** Caches the last body, because a page uses the HTML and the headings of one article one after the other. */
function rememberingLast(readBody: ReadBody): (id: string) => SiteBody {
  let last: { readonly id: string; readonly body: SiteBody } | undefined
  return (id) => {
    if (last?.id !== id) last = { id, body: readBody(id) ?? NO_BODY }
    return last.body
  }
}

function collectCategories(
  categories: readonly SiteCategory[],
  members: ReadonlyMap<string, readonly EleventyArticle[]>,
): readonly EleventyCategory[] {
  const known = new Map<string, EleventyCategory & { readonly children: EleventyCategory[] }>()
  for (const category of categories) {
    const above = category.parent === null ? undefined : known.get(category.parent)
    const level = (above?.level ?? 0) + 1
    const collected = item({ ...category, level, children: [], articles: members.get(category.id) ?? [] })
    known.set(category.id, collected)
    above?.children.push(collected)
  }
  return [...known.values()]
}
