import { type LocalArticle, documentKey } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { groupBy } from '../../core/group-by.ts'
import { isSignedAsEdited } from './detect-drift.ts'
import { addressOf, type RemoteEntry, sentAddressOf, writtenAddressOf } from './remote-entry.ts'
import { isUnlikeItsMarker, ownerOf, setCopiesAside } from './set-copies-aside.ts'

export interface Matches {
  /** By source. */
  readonly entryOf: ReadonlyMap<string, RemoteEntry>
  /** Ours, and wanted by no document. */
  readonly orphans: readonly RemoteEntry[]
  /** A second article of this project for a document that has one already, or a copy that someone made of it by hand. */
  readonly doubles: readonly RemoteEntry[]
}

/**
 * Finds each document's article: by document key and slug; then by slug and language, unless that article is another
 * document's own; then by document key alone; then by the key that the file had in the article's language; then by slug
 * even if it belonged to another document. So a moved file is no change, and with a changed slug or language it is still the same article, also
 * where documents hand a slug on. Of two that fit, the one with the wanted
 * fingerprint (by source, where known) is taken, then one that is as it was sent, then the older one. What is gone from the target (`goneIds`) is taken
 * only by a document that nothing else fits. The order of the input does not matter.
 */
export function matchArticles(
  articles: readonly LocalArticle[],
  entries: readonly RemoteEntry[],
  fingerprints: ReadonlyMap<string, string> = new Map(),
  goneIds: ReadonlySet<string> = new Set(),
): Matches {
  const entryOf = new Map<string, RemoteEntry>()
  const ours = entries.filter((entry) => entry.ours !== undefined)
  const isThere = ({ id }: RemoteEntry) => !goneIds.has(id)
  const { kept, copies } = setCopiesAside(
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
  const there = assign(sorted, kept.filter(isThere), fingerprints, entryOf)
  const gone = assign(
    sorted,
    kept.filter((entry) => !isThere(entry)),
    fingerprints,
    entryOf,
  )
  // Two articles are one document's only where both carry its key: one that was matched by its slug alone may carry the
  // key of a file that is gone.
  const doubled = new Set(
    articles.filter(({ source, key }) => entryOf.get(source)?.ours?.key === key).map(({ key }) => key),
  )
  const left = [...there, ...gone]
  return {
    entryOf,
    orphans: left.filter((entry) => !doubled.has(entry.ours?.key ?? '')),
    doubles: [...left.filter((entry) => doubled.has(entry.ours?.key ?? '')), ...copies],
  }
}

interface Rule {
  /** The values by which an article may be found. @param languages those of the entries */
  readonly ofArticle: (article: LocalArticle, languages: readonly (string | null)[]) => readonly string[]
  readonly ofEntry: (entry: RemoteEntry) => string
  /** Whether an article whose own document still waits for one is left to that document. */
  readonly sparesOwned?: boolean
}

const BY_SLUG: Rule = { ofArticle: (article) => [slugKey(article)], ofEntry: slugKey }

/** The target may have stored the slug in another form. */
const BY_SENT_SLUG: Rule = {
  ofArticle: (article) => [addressOf(article)],
  ofEntry: (entry) => sentAddressOf(entry) ?? '',
}

const keyOfArticle = ({ key, language }: LocalArticle) => ownerOf({ ours: { key }, language })

const BY_KEY: Rule = { ofArticle: (article) => [keyOfArticle(article)], ofEntry: ownerOf }

const BY_KEY_AND_SLUG: Rule = {
  ofArticle: (article) => [`${keyOfArticle(article)} ${article.slug}`],
  ofEntry: (entry) => `${ownerOf(entry)} ${entry.slug}`,
}

/** The language is part of the key: one whose file now has another language carries the key of the old one. */
const BY_OTHER_LANGUAGE: Rule = {
  ofArticle: ({ source, language }, languages) =>
    languages
      .filter((other) => other !== language)
      .map((other) => ownerOf({ ours: { key: documentKey(source, other) }, language: other })),
  ofEntry: ownerOf,
}

/** The first rule that fits decides. Documents that hand a slug on to each other keep their own articles. */
const RULES: readonly Rule[] = [
  BY_KEY_AND_SLUG,
  { ...BY_SLUG, sparesOwned: true },
  { ...BY_SENT_SLUG, sparesOwned: true },
  BY_KEY,
  BY_OTHER_LANGUAGE,
  BY_SLUG,
  BY_SENT_SLUG,
  { ...BY_SENT_SLUG, ofEntry: (entry) => writtenAddressOf(entry) ?? '' },
]

/** Gives articles that have none yet one of `entries`; returns the entries that are left. */
function assign(
  articles: readonly LocalArticle[],
  entries: readonly RemoteEntry[],
  fingerprints: ReadonlyMap<string, string>,
  entryOf: Map<string, RemoteEntry>,
): ReadonlySet<RemoteEntry> {
  const free = new Set(entries)
  for (const rule of RULES) {
    // What one document spared may be free once its own has found another: so, until nothing moves any more.
    while (applyRule(rule, articles, free, fingerprints, entryOf) && rule.sparesOwned === true);
  }
  return free
}

function applyRule(
  { ofArticle, ofEntry, sparesOwned }: Rule,
  articles: readonly LocalArticle[],
  free: Set<RemoteEntry>,
  fingerprints: ReadonlyMap<string, string>,
  entryOf: Map<string, RemoteEntry>,
): boolean {
  const waiting = articles.filter(({ source }) => !entryOf.has(source))
  const owners = new Set(sparesOwned === true ? waiting.map(keyOfArticle) : [])
  const open = [...free].filter((entry) => !owners.has(ownerOf(entry)))
  const groups = groupBy(open, ofEntry)
  const languages = [...new Set(open.map(({ language }) => language))]
  // Of two articles of one document, the one that stands where another document wants to go is the one to move.
  const contested = new Set(waiting.map(slugKey))
  let hasFound = false
  for (const article of waiting) {
    const candidates = ofArticle(article, languages)
      .flatMap((value) => groups.get(value) ?? [])
      .filter((candidate) => free.has(candidate))
    const wanted = fingerprints.get(article.source)
    const entry =
      candidates.find(({ ours }) => ours?.fingerprint === wanted) ??
      candidates.find((candidate) => contested.has(slugKey(candidate))) ??
      candidates[0]
    if (entry === undefined) continue
    free.delete(entry)
    entryOf.set(article.source, entry)
    hasFound = true
  }
  return hasFound
}

function byIdentity(a: RemoteEntry, b: RemoteEntry): number {
  const doubt = doubtOf(a) - doubtOf(b)
  if (doubt !== 0) return doubt
  const age = (a.remote?.createdMs ?? 0) - (b.remote?.createdMs ?? 0)
  return age === 0 ? (a.id < b.id ? -1 : 1) : age
}

/** The same on every machine: two that clear up at one time must keep the same article. */
function doubtOf(entry: RemoteEntry): number {
  const { ours } = entry
  const wasPutBackEdited = ours !== undefined && isSignedAsEdited(ours)
  return (ours?.isUnproven === true || wasPutBackEdited ? 2 : 0) + (isUnlikeItsMarker(entry) ? 1 : 0)
}
