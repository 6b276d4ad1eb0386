import { type LocalCategory, type LocalTag, lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath, parseCategoryPath } from '../../core/category-path.ts'
import { NO_CATEGORY } from './folder-tree.ts'
import { createFreeNames } from './free-names.ts'
import { slugOfRoute } from './route-of.ts'

/** A name in an article. */
export interface NamedTerm {
  readonly name: string
  /** Of the article. */
  readonly source: string
}

/**
 * Categories, and those that articles name beside them.
 *
 * @param isApart whether a name that fits several folders is none of them, as where folders are no categories of the tool
 */
export function withNamed(
  categories: readonly LocalCategory[],
  named: readonly NamedTerm[],
  isApart: boolean,
): LocalCategory[] {
  const all = [...categories]
  const freeSlug = createFreeNames()
  for (const { slug } of all) freeSlug(slug ?? '')
  // A name alone may mean one that others write with its path.
  const sources = firstSources(named)
  const references = [...sources].toSorted(([a], [b]) => depthOf(b) - depthOf(a) || (a < b ? -1 : 1))
  for (const [reference, source] of references) {
    const { kind } = lookUp(reference, all)
    if (kind === 'found' || (kind === 'ambiguous' && !isApart)) continue
    const path = parseCategoryPath(reference)
    for (const end of path.keys()) {
      const way = path.slice(0, end + 1)
      if (all.some((each) => formatCategoryPath(each.path) === formatCategoryPath(way))) continue
      const slug = freeSlug(slugOfName(way.join('/')))
      all.push({ ...NO_CATEGORY, name: way.at(-1) ?? '', slug, path: way, source })
    }
  }
  return all
}

/** The first source of each name. */
function firstSources(named: readonly NamedTerm[]): ReadonlyMap<string, string> {
  return new Map(named.toReversed().map(({ name, source }) => [name, source]))
}

interface DescribedTag extends NamedTerm {
  readonly key: string
  readonly description: string | undefined
  readonly line: number
}

/** The tags that a file of the tool describes, and those that articles name beside them. */
export function nameTags(described: readonly DescribedTag[], named: readonly NamedTerm[]): LocalTag[] {
  const freeSlug = createFreeNames()
  const rest = { longDescription: undefined, translations: {}, id: undefined }
  const all: LocalTag[] = described.map(({ key, name, description, source, line }) => ({
    ...rest,
    name,
    // Articles name a tag by its key.
    slug: freeSlug(slugOfRoute(key)),
    description,
    source,
    line,
  }))
  for (const [name, source] of [...firstSources(named)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (lookUp(name, all).kind !== 'none') continue
    all.push({ ...rest, name, slug: freeSlug(slugOfName(name)), description: undefined, source, line: 1 })
  }
  return all
}

function depthOf(reference: string): number {
  return parseCategoryPath(reference).length
}

function slugOfName(name: string): string {
  return slugOfRoute(name.toLowerCase())
}
