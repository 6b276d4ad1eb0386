import type { Span, TextChange } from '../../core/model/diagnostic.ts'
import type { DiagnosticCode } from '../../core/model/diagnostic-codes.ts'
import type { Document } from '../../core/model/document.ts'
import { type LocalTaxonomy, type TaxonomyLookup, lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { groupBy } from '../../core/group-by.ts'
import { nearest, onlyMeant } from '../../core/nearest.ts'
import { fixScalar } from '../frontmatter/fixes.ts'
import { atField, type SourceProblem } from '../source/source-problem.ts'
import { memoize } from '../../core/memoize.ts'

/** Finds articles in one language with the same slug. Reported in each article, with the name of the other. */
export function findDuplicateSlugs(documents: readonly Document[]): SourceProblem[] {
  return [...groupBy(documents, slugKey).values()].flatMap((twins) =>
    twins.length < 2 ? [] : twins.map((document) => duplicateSlug(document, twins)),
  )
}

/** Removes the fixes of slugs that would give two articles the same slug. */
export function dropTakenSlugs(
  problems: readonly SourceProblem[],
  documents: readonly Document[],
): readonly SourceProblem[] {
  if (!problems.some(isRepair)) return problems
  const counts = new Map<string, number>()
  const count = (slug: string) => counts.set(slug, (counts.get(slug) ?? 0) + 1)
  for (const { slug } of documents) count(slug)
  for (const problem of problems) if (isRepair(problem)) count(wantedSlug(problem))
  return problems.map((placed) => {
    if (!isRepair(placed) || counts.get(wantedSlug(placed)) === 1) return placed
    const { fix: _, ...problem } = placed.problem
    return { ...placed, problem }
  })
}

function isRepair({ problem }: SourceProblem): boolean {
  return problem.code === 'slug-invalid' && problem.fix !== undefined
}

/** Returns the fixed value without YAML quotes. */
function wantedSlug({ problem: { fix = [] } }: SourceProblem): string {
  return (fix[0]?.text ?? '').replace(/^(["'])(.*)\1$/, '$2')
}

/** Finds aliases that are also a slug, or another alias, in the same language. Reported at each position. */
export function findTakenAliases(documents: readonly Document[]): SourceProblem[] {
  const aliases = documents.flatMap((document) =>
    (document.aliases ?? []).map((slug, index) => ({ document, slug, field: `aliases[${index}]` })),
  )
  if (aliases.length === 0) return []
  const keyOf = ({ document: { language }, slug }: SlugUse) => slugKey({ slug, language })
  const wanted = new Set(aliases.map(keyOf))
  const slugs = documents.map((document) => ({ document, slug: document.slug, field: 'slug' }))
  const uses = groupBy([...slugs.filter((each) => wanted.has(keyOf(each))), ...aliases], keyOf)
  return [...uses.values()].flatMap((same) =>
    same.length < 2
      ? []
      : same.flatMap((use) =>
          // Articles with the same slug are reported as such.
          same.some((other) => other !== use && !(other.field === 'slug' && use.field === 'slug'))
            ? [takenAlias(use, same)]
            : [],
        ),
  )
}

interface SlugUse {
  readonly document: Document
  readonly slug: string
  /** The frontmatter field that contains it. */
  readonly field: string
}

function takenAlias(use: SlugUse, same: readonly SlugUse[]): SourceProblem {
  const nounOf = ({ field }: SlugUse) => (field === 'slug' ? 'slug' : 'alias')
  const others = same.filter((other) => other !== use)
  const named = others.map(
    (other) => `${nounOf(other) === 'slug' ? 'the slug' : 'an alias'} of ${other.document.source}`,
  )
  return atField(use.document, use.field, {
    code: 'slug-duplicate',
    message: `The ${nounOf(use)} "${use.slug}" is also ${named.join(' and ')}.`,
    hint: 'Remove the alias, or change the slug.',
  })
}

export type NamingArticle = Pick<Document, 'source' | 'categories' | 'tags' | 'positions'>

/** Finds categories and tags in articles that are unknown, as far as local files show. */
export function findUnknownReferences(
  documents: readonly NamingArticle[],
  { categories, tags }: LocalTaxonomy,
  unlistedCategory = unlistedIn('_categories.yml'),
): SourceProblem[] {
  const checkCategory = categories && referenceChecker('category', categories, unlistedCategory)
  const checkTag = tags && referenceChecker('tag', tags, unlistedIn('_tags.yml'))
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

interface UnknownReference {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint: string
  /** The name that the author certainly means. */
  readonly meant?: string | undefined
}

type Checker = (reference: string) => UnknownReference | undefined

interface Entry {
  readonly name: string
  readonly slug: string | undefined
  readonly path?: readonly string[]
  readonly source?: string | undefined
}

/** The place in the message about an unknown reference, and the hint for one that resembles no entry. */
function unlistedIn(file: string) {
  return { place: ` in ${file}`, advice: `Add it to ${file}, or use one that is listed there.` }
}

/** Cached, because thousands of articles use the same few categories. */
function referenceChecker(
  kind: 'category' | 'tag',
  entries: readonly Entry[],
  unlisted: ReturnType<typeof unlistedIn>,
): Checker {
  return memoize((reference) => explain(kind, reference, entries, unlisted))
}

function explain(
  kind: 'category' | 'tag',
  reference: string,
  entries: readonly Entry[],
  { place, advice }: ReturnType<typeof unlistedIn>,
): ReturnType<Checker> {
  const found: TaxonomyLookup<Entry> = lookUp(reference, entries)
  const names = (list: readonly Entry[]) =>
    list.map(({ path, name, slug }) => slug ?? formatCategoryPath(path ?? [name]))
  // A slug alone may not tell which category it is.
  const describeAll = (list: readonly Entry[]) =>
    list
      .map(({ path, slug }, index) =>
        slug !== undefined && path !== undefined
          ? `${slug} (${formatCategoryPath(path)})`
          : names(list)[index],
      )
      .join(', ')
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
        hint: `In ${kind === 'category' ? 'categories' : 'tags'}, write one of: ${describeAll(found.entries)}.`,
      }
    case 'none': {
      const certain = findOnlyMeant(reference, entries)
      const meant =
        certain ??
        nearest(reference, [...new Set(entries.flatMap((entry) => [...names([entry]), entry.name]))])
      return {
        code: `${kind}-unknown`,
        message: `There is no ${kind} "${reference}"${place}.`,
        hint: meant === undefined ? advice : `Did you mean "${meant}"?`,
        meant: certain,
      }
    }
  }
}

/** Returns the form closest to the reference (name, path or slug) of the only entry that the author can mean. */
function findOnlyMeant(reference: string, entries: readonly Entry[]): string | undefined {
  const forms = [
    entries.flatMap(({ slug }) => slug ?? []),
    entries.flatMap(({ name, path }) => (path === undefined ? [name] : [name, formatCategoryPath(path)])),
  ]
  const found = forms.flatMap((form) => {
    const meant = onlyMeant(reference, [...new Set(form)])
    const target = meant === undefined ? undefined : lookUp(meant, entries)
    return meant !== undefined && target?.kind === 'found' ? [{ meant, entry: target.entry }] : []
  })
  if (new Set(found.map(({ entry }) => entry)).size !== 1) return undefined
  return nearest(
    reference,
    found.map(({ meant }) => meant),
  )
}

/** Returns undefined if the value is not written as it is read, with or without quotes. */
function fixReference(reference: string, meant: string, { end, ...start }: Span): TextChange | undefined {
  const { line, column } = start
  const width = end?.line === line ? end.column - column : undefined
  if (end === undefined || width === undefined) return undefined
  if (width === reference.length) return fixScalar(reference, reference, meant, { line, column, end })
  if (width !== reference.length + 2 || /['"\\]/.test(meant)) return undefined
  return { start: { line, column: column + 1 }, end: { line, column: end.column - 1 }, text: meant }
}

function checkEach(document: NamingArticle, field: 'categories' | 'tags', check: Checker | undefined) {
  if (check === undefined) return []
  return document[field].flatMap((reference, index) => {
    const found = check(reference)
    if (found === undefined) return []
    const { meant, ...problem } = found
    const span = document.positions[`${field}[${index}]`]
    const fix = meant === undefined || span === undefined ? undefined : fixReference(reference, meant, span)
    return [atField(document, `${field}[${index}]`, { ...problem, ...(fix !== undefined && { fix: [fix] }) })]
  })
}
