import type { SiteArticle } from '../../index.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Placed, PlacedArticle, PlacedTerm } from './place-articles.ts'
import type { SidebarItem } from './page-shapes.ts'

/** Where the articles of one locale stand. A category without articles, also below it, is none. */
export interface LocaleTree {
  readonly categories: readonly PlacedTerm[]
  readonly find: (categoryId: string) => PlacedTerm | undefined
  /** A category with those above it, from the top down. */
  readonly wayTo: (category: PlacedTerm) => readonly PlacedTerm[]
  /** @param category undefined: those at the top */
  readonly below: (category: PlacedTerm | undefined) => readonly PlacedTerm[]
  readonly inCategory: (id: string) => readonly PlacedArticle[]
  readonly inTag: (id: string) => readonly PlacedArticle[]
  readonly sidebar: readonly SidebarItem[]
}

/** No category has an empty id. */
const TOP = ''

/** Pure. */
export function growTree({ articles, categories }: Placed): LocaleTree {
  const byCategory = groupByEach(articles, ({ categories: ids }) => ids)
  const byTag = groupByEach(articles, ({ tags }) => tags)
  const shown = withArticles(categories, byCategory)
  const byId = new Map(shown.map((category) => [category.id, category]))
  const children = groupBy(shown, ({ parent }) => parent ?? TOP)
  const below: LocaleTree['below'] = (category) => children.get(category?.id ?? TOP) ?? []
  const inCategory: LocaleTree['inCategory'] = (id) => byCategory.get(id) ?? []
  const wayTo = (category: PlacedTerm): PlacedTerm[] => {
    const above = byId.get(category.parent ?? TOP)
    return [...(above === undefined ? [] : wayTo(above)), category]
  }
  const draw = (category: PlacedTerm): SidebarItem => ({
    label: category.name,
    href: category.path,
    items: [
      ...below(category).map(draw),
      ...inCategory(category.id).map(({ article, path }) => ({ label: article.title, href: path })),
    ],
  })
  return {
    categories: shown,
    find: (id) => byId.get(id),
    wayTo,
    below,
    inCategory,
    inTag: (id) => byTag.get(id) ?? [],
    sidebar: below(undefined).map(draw),
  }
}

/** Articles by each of several keys. */
function groupByEach(
  articles: readonly PlacedArticle[],
  keysOf: (article: SiteArticle) => readonly string[],
): Map<string, PlacedArticle[]> {
  const pairs = articles.flatMap((placed) => keysOf(placed.article).map((key) => ({ key, placed })))
  const groups = groupBy(pairs, ({ key }) => key)
  return new Map([...groups].map(([key, found]) => [key, found.map(({ placed }) => placed)]))
}

function withArticles(
  categories: readonly PlacedTerm[],
  inCategory: ReadonlyMap<string, unknown>,
): PlacedTerm[] {
  const kept = new Set<string>()
  // A parent comes before its children.
  for (const { id, parent } of categories.toReversed()) {
    if (!inCategory.has(id) && !kept.has(id)) continue
    kept.add(id)
    if (parent !== null) kept.add(parent)
  }
  return categories.filter(({ id }) => kept.has(id))
}
