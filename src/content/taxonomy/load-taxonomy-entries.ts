import { join } from 'node:path'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import { type LocalCategory, type LocalTag, lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { appendAll } from '../../core/append-all.ts'
import { findAlikeNames } from './alike-names.ts'
import { type LocatedEntry, type RangeOf, readTaxonomyFile } from './read-taxonomy-file.ts'
import {
  categoriesSchema,
  CATEGORY_KEYS,
  isUrl,
  TAG_KEYS,
  tagsSchema,
  type WrittenCategory,
  type WrittenTag,
} from './taxonomy-schema.ts'

/** Receives the texts that are only known when links are resolved, with the position of their problems. */
export interface LinkedTexts {
  /** @returns a placeholder for the HTML of a long description */
  readonly describe: (markdown: string, at: Span, language?: string) => string
  /** @returns a placeholder for the URL of an image */
  readonly show: (path: string, at: Span) => string
}

interface LoadedTaxonomy<Entry> {
  /** Undefined if the file has a problem. */
  readonly entries: readonly Entry[] | undefined
  readonly problems: readonly Problem[]
}

/** Reads `_categories.yml`: resolves parents, and checks for unique names among siblings, unique slugs and circles. */
export function loadCategories(contentRoot: string, linked: LinkedTexts): LoadedTaxonomy<LocalCategory> {
  const file = readTaxonomyFile(join(contentRoot, '_categories.yml'), categoriesSchema, CATEGORY_KEYS)
  if (file.entries === undefined) return { entries: undefined, problems: file.problems }
  const problems: Problem[] = [...file.problems]
  const written = file.entries.map(({ entry, rangeOf }) => ({ ...entry, rangeOf }))
  const parents = findParents(written, problems)
  const entries = written.map((entry, index) => ({
    ...texts(entry, entry.rangeOf, linked),
    slug: entry.slug,
    priority: entry.priority,
    path: pathOf(index, written, parents),
    thumbnailUrl: picture('thumbnailUrl', entry, linked),
    iconUrl: picture('iconUrl', entry, linked),
    translations: translations(entry, entry.rangeOf, linked),
    id: entry.id,
    line: entry.rangeOf().line,
  }))
  appendAll(
    problems,
    duplicates(entries, file.entries, (entry) => formatCategoryPath(entry.path)),
  )
  return { entries, problems }
}

/** Reads `_tags.yml`, in which names and slugs are unique. */
export function loadTags(contentRoot: string, linked: LinkedTexts): LoadedTaxonomy<LocalTag> {
  const file = readTaxonomyFile(join(contentRoot, '_tags.yml'), tagsSchema, TAG_KEYS)
  const entries = file.entries?.map(({ entry, rangeOf }) => ({
    ...texts(entry, rangeOf, linked),
    slug: entry.slug,
    translations: translations(entry, rangeOf, linked),
    id: entry.id,
    line: rangeOf().line,
  }))
  const placed = file.entries ?? []
  const alike = listedTagsAlike(
    placed.map(({ entry, rangeOf }) => ({ name: entry.name, span: rangeOf('name') })),
  )
  const doubles = duplicates(entries ?? [], placed, (entry) => entry.name)
  return { entries, problems: [...file.problems, ...doubles, ...alike] }
}

type Placed = WrittenCategory & Pick<LocatedEntry<WrittenCategory>, 'rangeOf'>

/** Returns the index of each entry's parent. A path of names can be matched only after those of its parents. */
function findParents(written: readonly Placed[], problems: Problem[]): (number | undefined)[] {
  const named = written.map((entry, index) => ({ ...entry, index, path: [entry.name] }))
  let parents = written.map((entry) => findParent(entry, named))
  for (let missing = Infinity; countMissing(written, parents) < missing;) {
    missing = countMissing(written, parents)
    const known = parents
    const placed = named.map((entry) => ({ ...entry, path: pathOf(entry.index, written, known) }))
    parents = written.map((entry, index) => known[index] ?? findParent(entry, placed))
  }
  written.forEach((entry, index) => {
    const problem = parentProblem(entry, parents[index], named) ?? circleProblem(index, written, parents)
    if (problem !== undefined)
      problems.push({ code: 'taxonomy-parent', ...problem, ...entry.rangeOf('parent') })
  })
  return parents
}

function countMissing(written: readonly Placed[], parents: readonly (number | undefined)[]): number {
  return written.filter((entry, index) => entry.parent !== undefined && parents[index] === undefined).length
}

type Candidate = Placed & { readonly index: number; readonly path: readonly string[] }

function findParent(entry: Placed, candidates: readonly Candidate[]): number | undefined {
  if (entry.parent === undefined) return undefined
  const found = lookUp(entry.parent, candidates)
  return found.kind === 'found' ? found.entry.index : undefined
}

function parentProblem(entry: Placed, parent: number | undefined, candidates: readonly Candidate[]) {
  if (entry.parent === undefined || parent !== undefined) return undefined
  return lookUp(entry.parent, candidates).kind === 'ambiguous'
    ? {
        message: `The parent "${entry.parent}" matches more than one category.`,
        hint: 'Use its slug or path.',
      }
    : {
        message: `The parent "${entry.parent}" is not a category in this file.`,
        hint: 'Add the category, or correct the name.',
      }
}

function circleProblem(index: number, written: readonly Placed[], parents: readonly (number | undefined)[]) {
  let at = parents[index]
  for (let steps = 0; at !== undefined && steps < written.length; steps++) {
    if (at === index)
      return { message: `"${written[index]?.name}" is its own ancestor.`, hint: 'Remove one of the parents.' }
    at = parents[at]
  }
  return undefined
}

/** Returns the names from the root down. A circle, which is reported elsewhere, is cut. */
function pathOf(index: number, all: readonly Placed[], parents: readonly (number | undefined)[]): string[] {
  const path: string[] = []
  let at: number | undefined = index
  for (let steps = 0; at !== undefined && steps < all.length; steps++) {
    path.unshift(all[at]?.name ?? '')
    at = parents[at]
  }
  return path
}

function picture(field: 'thumbnailUrl' | 'iconUrl', entry: Placed, { show }: LinkedTexts) {
  const { [field]: written } = entry
  return written === undefined || isUrl(written) ? written : show(written, entry.rangeOf(field))
}

function texts(entry: WrittenTag, rangeOf: RangeOf, linked: Pick<LinkedTexts, 'describe'>) {
  return {
    name: entry.name,
    description: entry.description,
    longDescription:
      entry.longDescription === undefined
        ? undefined
        : linked.describe(entry.longDescription, rangeOf('longDescription')),
  }
}

function translations(entry: WrittenTag, rangeOf: RangeOf, linked: LinkedTexts) {
  return Object.fromEntries(
    Object.entries(entry.translations ?? {}).map(([language, translated]) => [
      language,
      {
        ...texts(translated, (...path) => rangeOf('translations', language, ...path), {
          describe: (markdown, at) => linked.describe(markdown, at, language),
        }),
        slug: translated.slug,
      },
    ]),
  )
}

interface NamedEntry {
  readonly name: string
  readonly slug: string | undefined
  readonly line: number
}

function duplicates<T extends NamedEntry>(
  entries: readonly T[],
  placed: readonly LocatedEntry<unknown>[],
  identity: (entry: T) => string,
): Problem[] {
  const firstByName = new Map<string, T>()
  const firstBySlug = new Map<string, T>()
  return entries.flatMap((entry, index) => {
    const namesake = firstByName.get(identity(entry))
    const twin = namesake ?? (entry.slug === undefined ? undefined : firstBySlug.get(entry.slug))
    if (!firstByName.has(identity(entry))) firstByName.set(identity(entry), entry)
    if (entry.slug !== undefined && !firstBySlug.has(entry.slug)) firstBySlug.set(entry.slug, entry)
    if (twin === undefined) return []
    const message = `"${identity(entry)}" has the same name or slug as the entry on line ${twin.line}.`
    return [
      {
        code: 'taxonomy-duplicate' as const,
        message,
        hint: 'Change the slug or the name of one of them.',
        ...(placed[index]?.rangeOf(namesake === undefined ? 'slug' : 'name') ?? {
          line: entry.line,
          column: 1,
        }),
      },
    ]
  })
}

/** Reports two entries of `_tags.yml` with nearly the same name. Another check reports equal ones. */
function listedTagsAlike(entries: readonly { readonly name: string; readonly span: Span }[]): Problem[] {
  const spans = new Map(entries.map(({ name, span }) => [name, span]))
  return [...findAlikeNames([...spans.keys()])].flatMap(([name, other]) => {
    const span = spans.get(name)
    if (span === undefined) return []
    const message = `The tag "${name}" is nearly the same as "${other}" on line ${spans.get(other)?.line}.`
    const hint = 'If both mean the same, remove one, and use the other one in the articles.'
    return [{ code: 'tags-alike', ...span, message, hint }]
  })
}
