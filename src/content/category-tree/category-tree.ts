import { type LocalCategory, lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath, parseCategoryPath } from '../../core/category-path.ts'
import { groupBy } from '../../core/group-by.ts'
import { memoize } from '../../core/memoize.ts'

/** The root path; no category has it. */
const TOP = ''

/** A category as shown on pages. */
export interface TreeCategory {
  /** Its path of names, which is unique. */
  readonly id: string
  readonly parentId: string | undefined
  readonly name: string
  readonly slug: string
  readonly path: readonly string[]
  readonly description: string
  /** HTML. */
  readonly longDescription: string
  /** Image URLs; '' if there is none. */
  readonly icon: string
  readonly thumbnail: string
  readonly translations: LocalCategory['translations']
}

/**
 * Creates the tree of the taxonomy file; without one, the tree of the names in articles.
 *
 * @param named categories as written in articles, possibly repeated
 */
export function createCategoryTree(listed: readonly LocalCategory[] | undefined, named: Iterable<string>) {
  const entries = listed === undefined ? namedCategories(new Set(named)) : listedCategories(listed)
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const children = groupBy(entries, ({ parentId = TOP }) => (byId.has(parentId) ? parentId : TOP))
  return {
    /** Parents before children, siblings in display order. */
    categories: below(TOP, children),
    byId,
    /** Finds a category by slug, name or path of names. */
    find: memoize((reference: string) => findOne(reference, entries)),
    /** Returns a category with its ancestors, from the root down. */
    wayTo: ({ path }: TreeCategory) =>
      path.flatMap((_, index) => byId.get(formatCategoryPath(path.slice(0, index + 1))) ?? []),
  }
}

/** Returns the first of several entries with this name: the article already has an error. */
export function findOne<Entry extends Parameters<typeof lookUp>[1][number]>(
  reference: string,
  entries: readonly Entry[],
): Entry | undefined {
  const found = lookUp(reference, entries)
  return found.kind === 'found' ? found.entry : found.kind === 'ambiguous' ? found.entries[0] : undefined
}

function listedCategories(listed: readonly LocalCategory[]): TreeCategory[] {
  const taken = new Set(listed.map(({ slug }) => slug))
  return listed
    .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
    .map(
      ({ name, slug, path, description = '', longDescription = '', iconUrl, thumbnailUrl, translations }) => {
        const given = {
          name,
          description,
          longDescription,
          icon: iconUrl ?? '',
          thumbnail: thumbnailUrl ?? '',
        }
        return treeCategory(path, slug ?? freeSlug(name, taken), { ...given, translations })
      },
    )
}

function namedCategories(named: ReadonlySet<string>): TreeCategory[] {
  const taken = new Set<string | undefined>()
  const entries = new Map<string, TreeCategory>()
  const paths = [...named].map(parseCategoryPath)
  // A single name may refer to a category that other articles write with its path.
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    if (path.length === 1 && findOne(path[0] ?? '', [...entries.values()]) !== undefined) continue
    for (const end of path.keys()) {
      const way = path.slice(0, end + 1)
      const id = formatCategoryPath(way)
      if (!entries.has(id)) entries.set(id, treeCategory(way, freeSlug(way[end] ?? '', taken)))
    }
  }
  return [...entries.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

function treeCategory(
  path: readonly string[],
  slug: string,
  given: Partial<Omit<TreeCategory, 'id' | 'parentId' | 'slug' | 'path'>> = {},
): TreeCategory {
  const above = path.slice(0, -1)
  return {
    id: formatCategoryPath(path),
    parentId: above.length === 0 ? undefined : formatCategoryPath(above),
    name: path.at(-1) ?? '',
    slug,
    path,
    description: '',
    longDescription: '',
    icon: '',
    thumbnail: '',
    translations: {},
    ...given,
  }
}

function freeSlug(name: string, taken: Set<string | undefined>): string {
  const base = addressName(name)
  let slug = base
  for (let count = 2; taken.has(slug); count++) slug = `${base}-${count}`
  taken.add(slug)
  return slug
}

function below(parentId: string, children: ReadonlyMap<string, readonly TreeCategory[]>): TreeCategory[] {
  return (children.get(parentId) ?? []).flatMap((entry) => [entry, ...below(entry.id, children)])
}

/** Returns the slug for a name if the files do not define one. */
export function addressName(name: string): string {
  const slug = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s/?#]+/g, '-')
  return slug === '' ? '-' : slug
}
