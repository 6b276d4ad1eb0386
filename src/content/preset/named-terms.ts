import { type LocalCategory, type LocalTag, lookUp } from '../../model/taxonomy.ts'
import { formatCategoryPath, parseCategoryPath } from '../../util/category-path.ts'
import { NO_CATEGORY } from './folder-tree.ts'
import { createFreeNames } from './free-names.ts'
import { slugOfRoute } from './route-of.ts'

/** Categories, and those that articles name beside them. */
export function withNamed(categories: readonly LocalCategory[], named: readonly string[]): LocalCategory[] {
  const all = [...categories]
  const freeSlug = createFreeNames()
  for (const { slug } of all) freeSlug(slug ?? '')
  // A name alone may mean one that others write with its path.
  const references = [...new Set(named)].toSorted((a, b) => depthOf(b) - depthOf(a) || (a < b ? -1 : 1))
  for (const reference of references) {
    if (lookUp(reference, all).kind !== 'none') continue
    const path = parseCategoryPath(reference)
    for (const end of path.keys()) {
      const way = path.slice(0, end + 1)
      if (all.some((each) => formatCategoryPath(each.path) === formatCategoryPath(way))) continue
      const slug = freeSlug(slugOfName(way.join('/')))
      all.push({ ...NO_CATEGORY, name: way.at(-1) ?? '', slug, path: way })
    }
  }
  return all
}

interface DescribedTag {
  readonly key: string
  readonly name: string
  readonly description: string | undefined
  readonly line: number
}

/** The tags that a file of the tool describes, and those that articles name beside them. */
export function nameTags(described: readonly DescribedTag[], named: readonly string[]): LocalTag[] {
  const freeSlug = createFreeNames()
  const rest = { longDescription: undefined, translations: {}, id: undefined }
  const all: LocalTag[] = described.map(({ key, name, description, line }) => ({
    ...rest,
    name,
    // Articles name a tag by its key.
    slug: freeSlug(slugOfRoute(key)),
    description,
    line,
  }))
  for (const name of [...new Set(named)].toSorted()) {
    if (lookUp(name, all).kind !== 'none') continue
    all.push({ ...rest, name, slug: freeSlug(slugOfName(name)), description: undefined, line: 1 })
  }
  return all
}

function depthOf(reference: string): number {
  return parseCategoryPath(reference).length
}

function slugOfName(name: string): string {
  return slugOfRoute(name.toLowerCase())
}
