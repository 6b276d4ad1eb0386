import type { Problem } from '../model/diagnostic.ts'
import type { DiagnosticCode } from '../model/diagnostic-codes.ts'
import type { Document } from '../model/document.ts'
import { formatCategoryPath, type LocalTaxonomy, type Lookup, lookUp } from '../model/taxonomy.ts'
import { slugKey } from '../model/slug-key.ts'
import { groupBy } from '../util/group-by.ts'
import { nearest } from '../util/nearest.ts'
import { slugOfSource } from './build-document.ts'

/** A problem together with the article (by source) it is in. */
export interface PlacedProblem {
  readonly source: string
  readonly problem: Problem
}

/** Two articles of one language with one slug: reported in both, each naming the other. */
export function findDuplicateSlugs(documents: readonly Document[]): PlacedProblem[] {
  return [...groupBy(documents, slugKey).values()].flatMap((twins) =>
    twins.length < 2 ? [] : twins.map((document) => duplicateSlug(document, twins)),
  )
}

/**
 * Categories, tags and originals that an article names and nobody knows, as far as local files can tell. `rejected` are
 * the sources of articles with errors of their own, which may be originals all the same.
 */
export function findUnknownReferences(
  documents: readonly Document[],
  taxonomy: LocalTaxonomy,
  rejected: readonly string[] = [],
): PlacedProblem[] {
  const originals = languagesByReference(documents, rejected)
  const { categories, tags } = taxonomy
  const checkCategory = categories === undefined ? undefined : referenceChecker('category', categories)
  const checkTag = tags === undefined ? undefined : referenceChecker('tag', tags)
  return documents.flatMap((document) => [
    ...checkEach(document, 'categories', checkCategory),
    ...checkEach(document, 'tags', checkTag),
    ...checkOriginal(document, originals),
  ])
}

function duplicateSlug(document: Document, twins: readonly Document[]): PlacedProblem {
  const others = twins.filter((twin) => twin !== document).map((twin) => twin.source)
  return place(document, 'slug', {
    code: 'slug-duplicate',
    message: `The slug "${document.slug}" is also that of ${others.join(', ')}.`,
    hint: 'Give one of them another slug.',
  })
}

type Checker = (reference: string) => { code: DiagnosticCode; message: string; hint: string } | undefined

type Entry = { readonly name: string; readonly slug: string | undefined; readonly path?: readonly string[] }

/** Answers are kept: thousands of articles name the same few categories. */
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
  const found: Lookup<Entry> = lookUp(reference, entries)
  const names = (list: readonly Entry[]) =>
    list.map(({ path, name, slug }) => slug ?? formatCategoryPath(path ?? [name]))
  const file = kind === 'category' ? '_categories.yml' : '_tags.yml'
  switch (found.kind) {
    case 'found':
      return undefined
    case 'ambiguous':
      return {
        code: `${kind}-ambiguous`,
        message: `The ${kind} "${reference}" fits more than one entry of ${file}.`,
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
  document: Document,
  field: 'categories' | 'tags',
  check: Checker | undefined,
): PlacedProblem[] {
  if (check === undefined) return []
  return document[field].flatMap((reference, index) => {
    const found = check(reference)
    return found === undefined ? [] : [place(document, `${field}[${index}]`, found)]
  })
}

/** The languages of the articles that each slug and each path names; undefined for one that is not known. */
type LanguagesByReference = ReadonlyMap<string, readonly (string | null | undefined)[]>

function languagesByReference(
  documents: readonly Document[],
  rejected: readonly string[],
): LanguagesByReference {
  const named = [
    ...documents.flatMap(({ slug, source, language }) => [
      [slug, language] as const,
      [source, language] as const,
    ]),
    ...rejected.flatMap((source) => [
      [slugOfSource(source), undefined] as const,
      [source, undefined] as const,
    ]),
  ]
  const languages = new Map<string, (string | null | undefined)[]>()
  for (const [reference, language] of named) {
    const known = languages.get(reference)
    if (known === undefined) languages.set(reference, [language])
    else known.push(language)
  }
  return languages
}

function checkOriginal(document: Document, originals: LanguagesByReference): PlacedProblem[] {
  const { translationOf } = document
  if (translationOf === undefined) return []
  const languages = originals.get(translationOf)
  if (languages?.some((language) => language !== document.language) === true) return []
  return [
    place(document, 'translationOf', unknownOriginal(translationOf, languages === undefined, originals)),
  ]
}

function unknownOriginal(reference: string, isUnknown: boolean, originals: LanguagesByReference) {
  const code = 'translation-unknown'
  if (!isUnknown) {
    const message = `"${reference}" is an article in the same language.`
    return { code, message, hint: 'The original must be in another language; check `language` too.' } as const
  }
  const meant = nearest(reference, [...originals.keys()])
  const message = `There is no article with the slug or path "${reference}".`
  const hint = meant === undefined ? 'Name the original by its slug or its path.' : `Did you mean "${meant}"?`
  return { code, message, hint } as const
}

function place(document: Document, field: string, problem: Omit<Problem, 'line' | 'column'>): PlacedProblem {
  return {
    source: document.source,
    problem: { ...problem, ...(document.positions[field] ?? { line: 1, column: 1 }) },
  }
}
