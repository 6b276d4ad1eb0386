import type { FrontmatterChanges } from '../../content/write-back/edit-frontmatter.ts'
import type { ArticleFields, FieldName } from '../../core/model/article-fields.ts'
import type { Frontmatter, LocalArticle } from '../../core/model/document.ts'
import { NEVER_DATE } from '../../core/calendar-date.ts'
import type { RemoteCategory } from '../../core/model/remote-article.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import {
  type ResolvedReference,
  type TaxonomyIndex,
  withPaths,
} from '../../sync/plan/taxonomy/taxonomy-index.ts'
import { countEach } from '../../core/group-by.ts'

/** The spelling of categories and tags in this file. */
export interface WrittenNames {
  readonly categories: (ids: readonly string[]) => readonly string[]
  readonly tags: (ids: readonly string[]) => readonly string[]
}

export function keyOfField(name: FieldName): keyof Frontmatter {
  if (name === 'categoryIds') return 'categories'
  return name === 'tagIds' ? 'tags' : name
}

/** Returns frontmatter for fields of the target. A field without a value is removed. */
export function frontmatterChanges(
  names: readonly FieldName[],
  fields: ArticleFields,
  written: WrittenNames,
): FrontmatterChanges {
  return Object.fromEntries(names.map((name) => [keyOfField(name), valueOf(name, fields, written)]))
}

function valueOf(name: FieldName, fields: ArticleFields, written: WrittenNames) {
  if (name === 'categoryIds') return written.categories(fields.categoryIds)
  if (name === 'tagIds') return written.tags(fields.tagIds)
  if (name === 'reviewDate') return writtenDate(fields.reviewDate)
  // Excerpt and title may be empty; an empty status or URL is unset.
  const isUnset = (name === 'status' || name === 'seoBannerUrl') && fields[name] === ''
  return isUnset ? null : fields[name]
}

/** Formats a date for frontmatter; null for none. */
export function writtenDate(date: string): string | null {
  if (date === '') return null
  return date === NEVER_DATE ? 'never' : date
}

interface NamingInput {
  readonly articles: readonly LocalArticle[]
  readonly taxonomy: LocalTaxonomy
  readonly index: TaxonomyIndex
  readonly categories: readonly RemoteCategory[]
  /** Names of the target's tags, by id. */
  readonly tagNames: ReadonlyMap<string, string>
}

/** Returns references for ids, in a file with the references of `existing`. */
export type NameReferences = (existing: Pick<LocalArticle, 'categories' | 'tags'>) => WrittenNames

/**
 * Converts ids to an author's references: as in the file, else as in most files, else the name, a path of names or the
 * slug; always one that refers only to this id. Pure.
 */
export function createNameReferences(input: NamingInput): NameReferences {
  const categories = createNamer(
    input.index.category,
    input.articles.flatMap((article) => article.categories),
    namesOfCategories(input),
  )
  const tags = createNamer(
    input.index.tag,
    input.articles.flatMap((article) => article.tags),
    namesOfTags(input),
  )
  return (existing) => ({
    categories: (ids) => categories(ids, existing.categories),
    tags: (ids) => tags(ids, existing.tags),
  })
}

type Resolve = (reference: string) => ResolvedReference

/** @param spellings possible references for each id, best first */
function createNamer(resolve: Resolve, used: readonly string[], spellings: ReadonlyMap<string, string[]>) {
  const means = (reference: string, id: string) => {
    const resolved = resolve(reference)
    return resolved.kind === 'id' && resolved.id === id
  }
  const byFrequency = [...countEach(used)].toSorted(([, a], [, b]) => b - a).map(([reference]) => reference)
  return (ids: readonly string[], existing: readonly string[]): string[] => {
    const kept = existing.filter((reference) => ids.some((id) => means(reference, id)))
    const added = ids.filter((id) => !kept.some((reference) => means(reference, id)))
    return [...kept, ...added.map(nameOf)]
  }

  function nameOf(id: string): string {
    const known = spellings.get(id) ?? []
    // An unknown reference is also written: the check of the file reports what is missing.
    return [...byFrequency, ...known].find((reference) => means(reference, id)) ?? known[0] ?? id
  }
}

function namesOfCategories({ taxonomy, index, categories }: NamingInput): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const entry of taxonomy.categories ?? []) {
    const remote = index.remoteOf(entry)
    if (remote === undefined || remote === 'ambiguous') continue
    names.set(remote.id, [
      entry.name,
      formatCategoryPath(entry.path),
      ...(entry.slug === undefined ? [] : [entry.slug]),
    ])
  }
  for (const { id, name, path } of withPaths(categories))
    if (!names.has(id)) names.set(id, [name, formatCategoryPath(path)])
  return names
}

function namesOfTags({ taxonomy, index, tagNames }: NamingInput): Map<string, string[]> {
  const names = new Map([...tagNames].map(([id, name]) => [id, name === '' ? [] : [name]] as const))
  for (const entry of taxonomy.tags ?? []) {
    const id = index.tagIdOf(entry)
    if (id !== undefined) names.set(id, [entry.name, ...(entry.slug === undefined ? [] : [entry.slug])])
  }
  return names
}
