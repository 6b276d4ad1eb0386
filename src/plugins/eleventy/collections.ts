import type { SiteArticle, SiteBody, SiteCategory, SiteHeading, SiteTag, SiteView } from '../../index.ts'

/** An item of `collections.kb`. */
export interface KbArticle extends SiteArticle {
  /** Made when it is asked for. */
  readonly html: string
  readonly headings: readonly SiteHeading[]
}

/** An item of `collections.kbCategories`. */
export interface KbCategory extends SiteCategory {
  /** 1 for a category at the top. */
  readonly level: number
  readonly children: readonly KbCategory[]
  /** Those that stand right in it. */
  readonly articles: readonly KbArticle[]
}

/** An item of `collections.kbTags`. */
export interface KbTag extends SiteTag {
  readonly articles: readonly KbArticle[]
}

export interface KbCollections {
  readonly articles: readonly KbArticle[]
  /** A parent before its children. */
  readonly categories: readonly KbCategory[]
  readonly tags: readonly KbTag[]
}

export type ReadBody = (id: string) => SiteBody | undefined

const NO_BODY: SiteBody = { html: '', headings: [] }
/** Eleventy copies or wraps plain objects for every page; an item with a prototype of its own it takes as it is. */
const ITEM = {}

/** The content in the form that templates take it. */
export function collect(view: SiteView, readBody: ReadBody): KbCollections {
  const read = rememberingLast(readBody)
  const articles = view.articles.map((article) => articleItem(article, read))
  const tagged = membersBy('tags', articles)
  return {
    articles,
    categories: collectCategories(view.categories, membersBy('categories', articles)),
    tags: view.tags.map((tag) => item({ ...tag, articles: tagged.get(tag.id) ?? [] })),
  }
}

function item<T extends object>(properties: T): T {
  return Object.assign(Object.create(ITEM) as object, properties)
}

/** Texts are no properties that anybody enumerates: what goes over all properties would read all of them. */
function articleItem(article: SiteArticle, read: (id: string) => SiteBody): KbArticle {
  const { id } = article
  return Object.defineProperties(item(article), {
    html: { get: () => read(id).html },
    headings: { get: () => read(id).headings },
  }) as KbArticle
}

/** A page asks for the HTML and the headings of one article, one after the other. */
function rememberingLast(readBody: ReadBody): (id: string) => SiteBody {
  let last: { readonly id: string; readonly body: SiteBody } | undefined
  return (id) => {
    if (last?.id !== id) last = { id, body: readBody(id) ?? NO_BODY }
    return last.body
  }
}

type Members = ReadonlyMap<string, readonly KbArticle[]>

function membersBy(kind: 'categories' | 'tags', articles: readonly KbArticle[]): Members {
  const members = new Map<string, KbArticle[]>()
  for (const article of articles) {
    for (const id of article[kind]) {
      const group = members.get(id)
      if (group === undefined) members.set(id, [article])
      else group.push(article)
    }
  }
  return members
}

function collectCategories(categories: readonly SiteCategory[], members: Members): readonly KbCategory[] {
  const known = new Map<string, KbCategory & { readonly children: KbCategory[] }>()
  for (const category of categories) {
    const above = category.parent === null ? undefined : known.get(category.parent)
    const level = (above?.level ?? 0) + 1
    const collected = item({
      ...category,
      level,
      children: [],
      articles: members.get(category.id) ?? [],
    })
    known.set(category.id, collected)
    above?.children.push(collected)
  }
  return [...known.values()]
}
