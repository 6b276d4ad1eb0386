import type { Document } from '../../core/model/document.ts'
import { groupBy } from '../../core/group-by.ts'

/** The document that `translationOf` of another one names; undefined where it names none in another language. */
export type FindOriginal = (document: Document) => Document | undefined

/**
 * Looks originals up by path, else by slug. One slug may stand for an article in each of several languages: then one that
 * is no translation itself is meant, and of those the one in the default language.
 */
export function createFindOriginal(documents: readonly Document[]): FindOriginal {
  let index: OriginalsIndex | undefined
  return ({ translationOf, language }) => {
    if (translationOf === undefined) return undefined
    // Most projects have no translations, and need not pay for the index.
    index ??= indexOriginals(documents)
    const named = index.bySource.get(translationOf)
    const candidates = [...(named === undefined ? [] : [named]), ...(index.bySlug.get(translationOf) ?? [])]
    return candidates.find((candidate) => candidate.language !== language)
  }
}

interface OriginalsIndex {
  readonly bySource: ReadonlyMap<string, Document>
  readonly bySlug: ReadonlyMap<string, readonly Document[]>
}

function indexOriginals(documents: readonly Document[]): OriginalsIndex {
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
