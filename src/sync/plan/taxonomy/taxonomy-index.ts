import type { RemoteCategory } from '../../../core/model/remote-article.ts'
import {
  type LocalCategory,
  type LocalTag,
  type LocalTaxonomy,
  lookUp,
} from '../../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../../core/category-path.ts'
import { memoize } from '../../../core/memoize.ts'

/** The target's id for a reference in an article, or the reason why there is none. */
export type ResolvedReference =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'missing'; readonly name: string }
  | { readonly kind: 'ambiguous'; readonly name: string }

export interface TaxonomyIndex {
  readonly category: (reference: string) => ResolvedReference
  readonly tag: (reference: string) => ResolvedReference
  /** The target's category for an entry of `_categories.yml`. */
  readonly remoteOf: (entry: LocalCategory) => RemoteCategory | 'ambiguous' | undefined
  readonly tagIdOf: (entry: LocalTag) => string | undefined
}

export interface TaxonomyIndexInput {
  readonly local: LocalTaxonomy
  readonly categories: readonly RemoteCategory[]
  /** Known ids of categories, by slug. */
  readonly categoryIds: Readonly<Record<string, string>>
  /** Known ids of tags, by name or slug. */
  readonly tagIds: Readonly<Record<string, string>>
  /** Name of the target, for `id` maps in the taxonomy files. */
  readonly target: string
  /** True if missing entries will be created; until then, they have provisional ids. */
  readonly createsMissing: boolean
}

/** Combines the taxonomy files with the target's categories and tags. Pure. */
export function createTaxonomyIndex(input: TaxonomyIndexInput): TaxonomyIndex {
  const { local, tagIds, createsMissing } = input
  const placed = withPaths(input.categories)
  const remoteOf = (entry: LocalCategory) =>
    findById(entry, placed, input) ?? (isWritten(entry, input) ? undefined : findByName(entry, placed))
  const tagIdOf = (entry: LocalTag) =>
    writtenId(entry, input.target) ?? own(tagIds, entry.slug) ?? own(tagIds, entry.name)
  const resolveCategory = (reference: string): ResolvedReference => {
    if (local.categories === undefined) return resolveRemoteCategory(reference, placed)
    const found = lookUp(reference, local.categories)
    if (found.kind !== 'found') return { kind: 'missing', name: reference }
    const name = formatCategoryPath(found.entry.path)
    const remote = remoteOf(found.entry)
    if (remote === 'ambiguous') return { kind: 'ambiguous', name }
    return toReference(remote?.id ?? (createsMissing ? `new category ${name}` : undefined), name)
  }
  const resolveTag = (reference: string): ResolvedReference => {
    if (local.tags === undefined) return toReference(own(tagIds, reference), reference)
    const found = lookUp(reference, local.tags)
    if (found.kind !== 'found') return { kind: 'missing', name: reference }
    const { name } = found.entry
    return toReference(tagIdOf(found.entry) ?? (createsMissing ? `new tag ${name}` : undefined), name)
  }
  return { remoteOf, tagIdOf, category: memoize(resolveCategory), tag: memoize(resolveTag) }
}

type RemoteCategoryWithPath = RemoteCategory & { readonly path: readonly string[] }

/** Adds paths. The list names only the parent of each category; it is followed upwards while that name is unique. */
export function withPaths(categories: readonly RemoteCategory[]): RemoteCategoryWithPath[] {
  const byName = new Map<string, RemoteCategory | 'ambiguous'>()
  for (const category of categories)
    byName.set(category.name, byName.has(category.name) ? 'ambiguous' : category)
  return categories.map((category) => {
    const path = [category.name]
    let parent = category.parentName
    while (parent !== undefined && path.length <= categories.length) {
      path.unshift(parent)
      const next = byName.get(parent)
      parent = next === undefined || next === 'ambiguous' ? undefined : next.parentName
    }
    return { ...category, path }
  })
}

/** Finds a category by the id in the file, otherwise by the id that its slug had before. */
function findById(
  entry: LocalCategory,
  categories: readonly RemoteCategoryWithPath[],
  { target, categoryIds }: TaxonomyIndexInput,
): RemoteCategory | undefined {
  const id = writtenId(entry, target) ?? own(categoryIds, entry.slug)
  return id === undefined ? undefined : categories.find((category) => category.id === id)
}

/** True if the file contains the id. Such an id is binding: if the target lacks it, no other category is used. */
function isWritten(entry: LocalCategory, { target }: TaxonomyIndexInput): boolean {
  return writtenId(entry, target) !== undefined
}

function findByName(entry: LocalCategory, categories: readonly RemoteCategoryWithPath[]) {
  const parent = entry.path.at(-2)
  const named = categories.filter(({ name, parentName }) => name === entry.name && parentName === parent)
  if (named.length <= 1) return named[0]
  const wanted = formatCategoryPath(entry.path)
  const [first, ...others] = named.filter((category) => formatCategoryPath(category.path) === wanted)
  return first === undefined || others.length > 0 ? 'ambiguous' : first
}

function resolveRemoteCategory(
  reference: string,
  categories: readonly RemoteCategoryWithPath[],
): ResolvedReference {
  const found = lookUp(reference, categories)
  if (found.kind === 'found') return { kind: 'id', id: found.entry.id }
  return { kind: found.kind === 'none' ? 'missing' : 'ambiguous', name: reference }
}

function toReference(id: string | undefined, name: string): ResolvedReference {
  return id === undefined ? { kind: 'missing', name } : { kind: 'id', id }
}

function writtenId(entry: LocalCategory | LocalTag, target: string): string | undefined {
  // Ids in the files belong to remote targets.
  if (entry.id === undefined || target === 'builtin') return undefined
  return typeof entry.id === 'string' ? entry.id : own(entry.id, target)
}

function own(record: Readonly<Record<string, string>>, key: string | undefined): string | undefined {
  return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}
