import type { PageCategory, Viewer } from './page-source.ts'

export interface CategoryNode {
  readonly category: PageCategory
  parent: CategoryNode | undefined
  readonly children: CategoryNode[]
  /** Number of articles in it and below it. */
  total: number
}

export interface ReaderCategoryTree {
  readonly roots: readonly CategoryNode[]
  readonly byId: ReadonlyMap<string, CategoryNode>
  readonly bySlug: ReadonlyMap<string, CategoryNode>
}

/** Builds the tree of `categories`, in their order. Empty ones are hidden from readers. */
export function buildCategoryTree(categories: readonly PageCategory[], viewer: Viewer): ReaderCategoryTree {
  const nodes = categories.map((category): CategoryNode => {
    return { category, parent: undefined, children: [], total: 0 }
  })
  const byId = new Map(nodes.map((node) => [node.category.id, node]))
  for (const node of nodes) {
    const above = byId.get(node.category.parentId ?? '')
    // A category that would be its own ancestor moves to the top level.
    if (above !== undefined && !pathTo(above).includes(node)) node.parent = above
  }
  for (const node of nodes) for (const each of pathTo(node)) each.total += node.category.articles
  const shown = nodes.filter((node) => viewer === 'author' || node.total > 0)
  for (const node of shown) node.parent?.children.push(node)
  return {
    roots: shown.filter((node) => node.parent === undefined),
    byId: new Map(shown.map((node) => [node.category.id, node])),
    bySlug: new Map(shown.map((node) => [node.category.slug, node])),
  }
}

/** Returns the path from the root down to `node`. */
export function pathTo(node: CategoryNode): readonly CategoryNode[] {
  const path: CategoryNode[] = []
  for (let each: CategoryNode | undefined = node; each !== undefined; each = each.parent) path.unshift(each)
  return path
}
