import type { FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import type { Document } from '../../core/model/document.ts'
import { groupBy } from '../../core/group-by.ts'
import { nearest } from '../../core/nearest.ts'
import { defaultSlugOf } from '../preset/site-path.ts'
import { atField, type SourceProblem } from '../source/source-problem.ts'

/**
 * Reports problems of translations: an unknown original, an original that is itself a translation, and a second
 * translation of an original into the same language.
 *
 * @param rejected sources of articles that have errors themselves, which are valid originals
 */
export function findWrongTranslations(
  documents: readonly Document[],
  findOriginal: FindOriginal,
  rejected: readonly string[] = [],
  mapping?: FrontmatterMapping,
): SourceProblem[] {
  const translations = documents.filter(({ translationOf }) => translationOf !== undefined)
  if (translations.length === 0) return []
  const languages = languagesByReference(documents, rejected, mapping)
  return [
    ...translations.flatMap((document) => checkOriginal(document, findOriginal(document), languages)),
    ...findSecondTranslations(translations, findOriginal),
  ]
}

/** Languages of the articles with each slug and path; undefined for an unknown language. */
type LanguagesByReference = ReadonlyMap<string, readonly (string | null | undefined)[]>

function languagesByReference(
  documents: readonly Document[],
  rejected: readonly string[],
  mapping: FrontmatterMapping | undefined,
): LanguagesByReference {
  const named = [
    ...documents.flatMap(({ slug, source, language }) => [
      [slug, language] as const,
      [source, language] as const,
    ]),
    ...rejected.flatMap((source) => [
      [defaultSlugOf(source, mapping), undefined] as const,
      [source, undefined] as const,
    ]),
  ]
  const groups = groupBy(named, ([reference]) => reference)
  return new Map([...groups].map(([reference, group]) => [reference, group.map(([, language]) => language)]))
}

function checkOriginal(document: Document, original: Document | undefined, known: LanguagesByReference) {
  const { translationOf = '', language } = document
  if (original?.translationOf !== undefined) return [nested(document, original)]
  const languages = known.get(translationOf)
  if (languages?.some((other) => other !== language) === true) return []
  return [atField(document, 'translationOf', unknownOriginal(translationOf, languages === undefined, known))]
}

function nested(document: Document, { source, translationOf }: Document): SourceProblem {
  return atField(document, 'translationOf', {
    code: 'translation-nested',
    message: `"${document.translationOf}" (${source}) is itself a translation.`,
    hint: `Name the original: \`translationOf: ${translationOf}\`.`,
  })
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

/** Reports two translations of one original into the same language, in each of them with the name of the other. */
function findSecondTranslations(translations: readonly Document[], findOriginal: FindOriginal) {
  const groups = groupBy(translations, (document) => {
    const original = findOriginal(document)
    return original === undefined ? '' : `${document.language ?? ''} ${original.source}`
  })
  groups.delete('')
  return [...groups.values()].flatMap((twins) =>
    twins.length < 2 ? [] : twins.map((document) => secondTranslation(document, twins)),
  )
}

function secondTranslation(document: Document, twins: readonly Document[]): SourceProblem {
  const others = twins.filter((twin) => twin !== document).map(({ source }) => source)
  return atField(document, 'translationOf', {
    code: 'translation-duplicate',
    message: `"${document.translationOf}" has another translation into the same language: ${others.join(', ')}.`,
    hint: 'Keep one, or remove `translationOf` from the others to make them separate articles.',
  })
}

/** Returns the document that `translationOf` names; undefined if there is none in another language. */
type FindOriginal = (document: Document) => Document | undefined

/**
 * Finds originals by path, else by slug. If articles in several languages have the slug, one that is not a translation
 * is preferred, then the one in the default language.
 */
export function createFindOriginal(documents: readonly Document[]): FindOriginal {
  let index: ReturnType<typeof indexOriginals> | undefined
  return ({ translationOf, language }) => {
    if (translationOf === undefined) return undefined
    // Most projects have no translations and do not need the index.
    index ??= indexOriginals(documents)
    const named = index.bySource.get(translationOf)
    const candidates = [...(named === undefined ? [] : [named]), ...(index.bySlug.get(translationOf) ?? [])]
    return candidates.find((candidate) => candidate.language !== language)
  }
}

function indexOriginals(documents: readonly Document[]) {
  return {
    bySource: new Map(documents.map((document) => [document.source, document])),
    bySlug: groupBy(documents.toSorted(byFitness), ({ slug }) => slug),
  }
}

function byFitness(a: Document, b: Document): number {
  return rankOf(a) - rankOf(b) || (a.source < b.source ? -1 : 1)
}

function rankOf({ translationOf, language }: Document): number {
  return (translationOf === undefined ? 0 : 2) + (language === null ? 0 : 1)
}
