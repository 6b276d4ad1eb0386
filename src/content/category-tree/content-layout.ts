import type { LoadedContent } from '../pipeline/load-content.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { compareTexts } from '../../core/compare-texts.ts'
import { groupBy, groupByEach } from '../../core/group-by.ts'
import { createCategoryTree } from './category-tree.ts'
import { createTagList } from './tag-list.ts'
import { lazily, memoize } from '../../core/memoize.ts'

/**
 * The articles and their positions in lists, without texts, so it stays valid when a text is edited. Each part is
 * computed on demand. It may contain an earlier version of an article.
 */
export type ContentLayout = ReturnType<typeof layOut>

type Groups = ReadonlyMap<string, readonly LocalArticle[]>

export function layOut({ articles, taxonomy }: LoadedContent, defaultLanguage: string) {
  const bySlug = lazily((): Groups => groupBy(articles, ({ slug }) => slug))
  const byLanguage = lazily((): Groups => groupBy(articles, ({ language }) => language ?? defaultLanguage))
  const byOriginal = lazily((): Groups => groupBy(articles, originalOf))
  const tree = lazily(() => createCategoryTree(taxonomy.categories, namesIn(articles, 'categories')))
  const tags = lazily(() => createTagList(taxonomy.tags, namesIn(articles, 'tags')))
  const sorted = memoize((language: string): readonly LocalArticle[] =>
    (byLanguage().get(language) ?? []).toSorted(byOrder),
  )
  const categoriesOf = ({ categories }: LocalArticle) => [
    ...new Set(categories.flatMap((name) => tree().find(name) ?? [])),
  ]
  const byCategory = memoize((language: string): Groups =>
    groupByEach(sorted(language), (article) => categoriesOf(article).map(({ id }) => id)),
  )
  return {
    get languages() {
      return [...byLanguage().keys()]
    },
    get tree() {
      return tree()
    },
    get tags() {
      return tags()
    },
    atSlug: (slug: string) => bySlug().get(slug) ?? [],
    /** Articles of a language, by order, then title. */
    sorted,
    categoriesOf,
    /** Articles of a language by the ids of their own categories, sorted. */
    byCategory,
    /** Returns an article and its translations. */
    family: (article: LocalArticle) => byOriginal().get(originalOf(article)) ?? [],
  }
}

/** Returns true if both articles have the same positions, so that a layout stays valid. */
export function hasSamePlace(a: LocalArticle, b: LocalArticle): boolean {
  return placeOf(a) === placeOf(b)
}

function placeOf({ slug, language, title, order, categories, tags, original }: LocalArticle): string {
  return JSON.stringify([slug, language, title, order, categories, tags, original ?? null])
}

function originalOf({ original, source }: LocalArticle): string {
  return original ?? source
}

function namesIn(articles: readonly LocalArticle[], kind: 'categories' | 'tags'): Set<string> {
  const names = new Set<string>()
  for (const article of articles) for (const name of article[kind]) names.add(name)
  return names
}

function byOrder(a: LocalArticle, b: LocalArticle): number {
  return a.order - b.order || compareTexts(a.title, b.title) || compareTexts(a.source, b.source)
}
