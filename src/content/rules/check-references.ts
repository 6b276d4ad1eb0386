import type { DiagnosticCode } from '../../core/model/diagnostic-codes.ts'
import type { Document } from '../../core/model/document.ts'
import { type LocalTaxonomy, type TaxonomyLookup, lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { groupBy } from '../../core/group-by.ts'
import { nearest } from '../../core/nearest.ts'
import { atField, type SourceProblem } from '../source/source-problem.ts'

/** Two articles of one language with the same slug: reported in both, each with the name of the other. */
export function findDuplicateSlugs(documents: readonly Document[]): SourceProblem[] {
  return [...groupBy(documents, slugKey).values()].flatMap((twins) =>
    twins.length < 2 ? [] : twins.map((document) => duplicateSlug(document, twins)),
  )
}

/** The names in an article's frontmatter. */
export type NamingArticle = Pick<Document, 'source' | 'categories' | 'tags' | 'positions'>

/** Categories and tags in an article that are unknown, as far as local files show. */
export function findUnknownReferences(
  documents: readonly NamingArticle[],
  { categories, tags }: LocalTaxonomy,
): SourceProblem[] {
  const checkCategory = categories === undefined ? undefined : referenceChecker('category', categories)
  const checkTag = tags === undefined ? undefined : referenceChecker('tag', tags)
  return documents.flatMap((document) => [
    ...checkEach(document, 'categories', checkCategory),
    ...checkEach(document, 'tags', checkTag),
  ])
}

function duplicateSlug(document: Document, twins: readonly Document[]): SourceProblem {
  const others = twins.filter((twin) => twin !== document).map((twin) => twin.source)
  return atField(document, 'slug', {
    code: 'slug-duplicate',
    message: `The slug "${document.slug}" is also used by ${others.join(', ')}.`,
    hint: 'Change the slug of one of them.',
  })
}

type Checker = (reference: string) => { code: DiagnosticCode; message: string; hint: string } | undefined

interface Entry {
  readonly name: string
  readonly slug: string | undefined
  readonly path?: readonly string[]
  readonly source?: string | undefined
}

/** Cached, because thousands of articles use the same few categories. */
function referenceChecker(kind: 'category' | 'tag', entries: readonly Entry[]): Checker {
  const known = new Map<string, ReturnType<Checker>>()
  return (reference) => {
    if (!known.has(reference)) known.set(reference, explain(kind, reference, entries))
    return known.get(reference)
  }
}

function explain(
  kind: 'category' | 'tag',
  reference: string,
  entries: readonly Entry[],
): ReturnType<Checker> {
  const found: TaxonomyLookup<Entry> = lookUp(reference, entries)
  const names = (list: readonly Entry[]) =>
    list.map(({ path, name, slug }) => slug ?? formatCategoryPath(path ?? [name]))
  const file = kind === 'category' ? '_categories.yml' : '_tags.yml'
  switch (found.kind) {
    case 'found':
      return undefined
    case 'ambiguous':
      return {
        code: `${kind}-ambiguous`,
        message: `The ${kind} "${reference}" matches more than one ${
          found.entries.every(({ source }) => source === undefined) ? `entry of ${file}` : 'folder'
        }.`,
        hint: `Write one of: ${names(found.entries).join(', ')}.`,
      }
    case 'none': {
      const meant = nearest(reference, [
        ...new Set(entries.flatMap((entry) => [...names([entry]), entry.name])),
      ])
      return {
        code: `${kind}-unknown`,
        message: `There is no ${kind} "${reference}" in ${file}.`,
        hint:
          meant === undefined
            ? `Add it to ${file}, or use one that is listed there.`
            : `Did you mean "${meant}"?`,
      }
    }
  }
}

function checkEach(
  document: NamingArticle,
  field: 'categories' | 'tags',
  check: Checker | undefined,
): SourceProblem[] {
  if (check === undefined) return []
  return document[field].flatMap((reference, index) => {
    const found = check(reference)
    return found === undefined ? [] : [atField(document, `${field}[${index}]`, found)]
  })
}
