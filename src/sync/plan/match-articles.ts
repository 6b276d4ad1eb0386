import { type LocalArticle, documentKey } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { groupBy } from '../../core/group-by.ts'
import {
  isSignedAsEdited,
  hashedSlugKey,
  type RemoteEntry,
  sentSlugKey,
  writtenSlugKey,
} from './remote-entry.ts'
import { isUnlikeItsMarker, ownerOf, separateCopies } from './separate-copies.ts'

export interface Matches {
  /** By source. */
  readonly entryOf: ReadonlyMap<string, RemoteEntry>
  /** Our articles that have no document. */
  readonly orphans: readonly RemoteEntry[]
  /** Further articles of documents that already have one, among them copies that someone made on the target. */
  readonly duplicates: readonly RemoteEntry[]
  /** Former path of each file that was renamed, judging by its text, by source; undefined if it is unknown. */
  readonly movedFrom: ReadonlyMap<string, string | undefined>
}

interface MatchDetails {
  /** By source, as far as they are known. */
  readonly fingerprints?: ReadonlyMap<string, string> | undefined
  /** Ids of `entries` that are gone from the target. */
  readonly goneIds?: ReadonlySet<string> | undefined
  /** Sources of documents that are held back: each keeps the article of its file, whatever its language. */
  readonly held?: ReadonlySet<string>
}

/**
 * Finds the article of each document, by the first rule that matches: by document key and slug; by slug and language,
 * unless the article belongs to another document; by document key; by the key that the file had in the article's
 * language; by slug, even if the article belonged to another document. So a moved file is not a change, an article
 * keeps its identity when its slug or language changes, and documents can pass on a slug.
 *
 * Among several candidates, the one with the document's fingerprint is preferred, then an unchanged one, then the older
 * one. Articles that are gone from the target are used only if nothing else matches. The order of the input does not
 * matter.
 */
export function matchArticles(
  articles: readonly LocalArticle[],
  entries: readonly RemoteEntry[],
  { fingerprints = new Map(), goneIds = new Set(), held = new Set() }: MatchDetails = {},
): Matches {
  const entryOf = new Map<string, RemoteEntry>()
  const ours = entries.filter((entry) => entry.ours !== undefined)
  const isThere = ({ id }: RemoteEntry) => !goneIds.has(id)
  const { kept, copies } = separateCopies(
    ours.toSorted(byIdentity),
    goneIds,
    new Map(
      articles.map(({ key, slug, language, source }) => [
        key,
        { slug, language, fingerprint: fingerprints.get(source) },
      ]),
    ),
  )
  const sorted = articles.toSorted((a, b) => (a.source < b.source ? -1 : 1))
  const context = { fingerprints, held, entryOf }
  const there = assign(sorted, kept.filter(isThere), context)
  const gone = assign(
    sorted,
    kept.filter((entry) => !isThere(entry)),
    context,
  )
  // Two articles belong to one document only if both carry its key: an article matched by slug alone may carry the key
  // of a deleted file.
  const withDuplicates = new Set(
    articles.filter(({ source, key }) => entryOf.get(source)?.ours?.key === key).map(({ key }) => key),
  )
  const left = [...there, ...gone]
  return {
    entryOf,
    orphans: left.filter((entry) => !withDuplicates.has(entry.ours?.key ?? '')),
    duplicates: [...left.filter((entry) => withDuplicates.has(entry.ours?.key ?? '')), ...copies],
    movedFrom: new Map(),
  }
}

interface Rule {
  /** The values that identify an article. @param languages languages of the entries */
  readonly ofArticle: (article: LocalArticle, languages: readonly (string | null)[]) => readonly string[]
  readonly ofEntry: (entry: RemoteEntry) => string
  /** True if an article is left to its own document while that document has no match. */
  readonly sparesOwned?: boolean
}

const BY_SLUG: Rule = { ofArticle: (article) => [slugKey(article)], ofEntry: slugKey }

/** Matches by the slug as it was sent. The target may store it in another form. */
const BY_SENT_SLUG: Rule = {
  ofArticle: (article) => [hashedSlugKey(article)],
  ofEntry: (entry) => sentSlugKey(entry) ?? '',
}

const keyOfArticle = ({ key, language }: LocalArticle) => ownerOf({ ours: { key }, language })

const BY_KEY: Rule = { ofArticle: (article) => [keyOfArticle(article)], ofEntry: ownerOf }

const BY_KEY_AND_SLUG: Rule = {
  ofArticle: (article) => [`${keyOfArticle(article)} ${article.slug}`],
  ofEntry: (entry) => `${ownerOf(entry)} ${entry.slug}`,
}

/** By the key in the former language of the article, because the key contains the language. */
const BY_OTHER_LANGUAGE: Rule = {
  ofArticle: ({ source, language }, languages) =>
    languages
      .filter((other) => other !== language)
      .map((other) => ownerOf({ ours: { key: documentKey(source, other) }, language: other })),
  ofEntry: ownerOf,
}

/** The first matching rule decides. Documents that pass on a slug keep their own articles. */
const RULES: readonly Rule[] = [
  BY_KEY_AND_SLUG,
  { ...BY_SLUG, sparesOwned: true },
  { ...BY_SENT_SLUG, sparesOwned: true },
  BY_KEY,
  BY_OTHER_LANGUAGE,
  BY_SLUG,
  BY_SENT_SLUG,
  { ...BY_SENT_SLUG, ofEntry: (entry) => writtenSlugKey(entry) ?? '' },
]

interface MatchContext {
  readonly fingerprints: ReadonlyMap<string, string>
  readonly held: ReadonlySet<string>
  /** The articles found so far, by source. */
  readonly entryOf: Map<string, RemoteEntry>
}

/** Assigns `entries` to articles without a match. Returns the remaining entries. */
function assign(articles: readonly LocalArticle[], entries: readonly RemoteEntry[], context: MatchContext) {
  const { entryOf } = context
  const free = new Set(entries)
  let waiting = articles.filter(({ source }) => !entryOf.has(source))
  for (const rule of RULES) {
    let hasFound = true
    // A match may release an entry that was left to another document, so repeat until nothing changes.
    for (let isFirst = true; hasFound && (isFirst || rule.sparesOwned === true); isFirst = false) {
      // Usually the first rule matches all of them.
      if (waiting.length === 0 || free.size === 0) return free
      const left = applyRule(rule, waiting, free, context)
      hasFound = left.length < waiting.length
      waiting = left
    }
  }
  return free
}

/** Returns the articles that are still waiting. */
function applyRule(
  { ofArticle, ofEntry, sparesOwned }: Rule,
  waiting: readonly LocalArticle[],
  free: Set<RemoteEntry>,
  { fingerprints, held, entryOf }: MatchContext,
): LocalArticle[] {
  const languages = [...new Set(Array.from(free, ({ language }) => language))]
  const ownersOf = (article: LocalArticle) => [
    keyOfArticle(article),
    ...(held.has(article.source) ? BY_OTHER_LANGUAGE.ofArticle(article, languages) : []),
  ]
  const owners = new Set(sparesOwned === true ? waiting.flatMap(ownersOf) : [])
  const open = owners.size === 0 ? [...free] : [...free].filter((entry) => !owners.has(ownerOf(entry)))
  const groups = groupBy(open, ofEntry)
  // If a document has two articles, the one at a slug that another document needs is matched, so that it moves away.
  let contested: ReadonlySet<string> | undefined
  const isContested = (entry: RemoteEntry) =>
    (contested ??= new Set(waiting.map(slugKey))).has(slugKey(entry))
  return waiting.filter((article) => {
    const candidates = ofArticle(article, languages)
      .flatMap((value) => groups.get(value) ?? [])
      .filter((candidate) => free.has(candidate))
    const wanted = fingerprints.get(article.source)
    const entry =
      candidates.length < 2
        ? candidates[0]
        : (candidates.find(({ ours }) => ours?.fingerprint === wanted) ??
          candidates.find(isContested) ??
          candidates[0])
    if (entry === undefined) return true
    free.delete(entry)
    entryOf.set(article.source, entry)
    return false
  })
}

function byIdentity(a: RemoteEntry, b: RemoteEntry): number {
  const doubt = doubtOf(a) - doubtOf(b)
  if (doubt !== 0) return doubt
  const age = (a.remote?.createdMs ?? 0) - (b.remote?.createdMs ?? 0)
  return age === 0 ? (a.id < b.id ? -1 : 1) : age
}

/** The same on every machine: two that remove duplicates at the same time must keep the same article. */
function doubtOf(entry: RemoteEntry): number {
  const { ours } = entry
  const wasPutBackEdited = ours !== undefined && isSignedAsEdited(ours)
  return (ours?.isUnproven === true || wasPutBackEdited ? 2 : 0) + (isUnlikeItsMarker(entry) ? 1 : 0)
}
