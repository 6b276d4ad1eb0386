import type { DesiredArticle } from '../model/document.ts'
import { groupBy } from '../util/group-by.ts'
import type { RemoteEntry } from './remote-entry.ts'

export interface Matches {
  /** By source. */
  readonly entryOf: ReadonlyMap<string, RemoteEntry>
  /** Ours, and wanted by no document. */
  readonly orphans: readonly RemoteEntry[]
  /** A second article of ours for a document that has one already. */
  readonly doubles: readonly RemoteEntry[]
}

/**
 * Finds each document's article: by document key and slug; then by slug and language; then by document key alone. So a
 * moved file is no change, and a changed slug is still the same article. Of two that fit, the one with the wanted
 * fingerprint (by source, where known) is taken, then the older one. What is gone from the target (`goneIds`) is taken
 * only by a document that nothing else fits. The order of the input does not matter.
 */
export function matchArticles(
  articles: readonly DesiredArticle[],
  entries: readonly RemoteEntry[],
  fingerprints: ReadonlyMap<string, string> = new Map(),
  goneIds: ReadonlySet<string> = new Set(),
): Matches {
  const entryOf = new Map<string, RemoteEntry>()
  const known = entries.filter(({ ours }) => ours !== undefined).toSorted(byIdentity)
  const sorted = articles.toSorted((a, b) => (a.source < b.source ? -1 : 1))
  const there = assign(
    sorted,
    known.filter(({ id }) => !goneIds.has(id)),
    fingerprints,
    entryOf,
  )
  const gone = assign(
    sorted,
    known.filter(({ id }) => goneIds.has(id)),
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
    orphans: left.filter(({ ours }) => !doubled.has(ours?.key ?? '')),
    doubles: left.filter(({ ours }) => doubled.has(ours?.key ?? '')),
  }
}

/** What must be equal in a document and its article; the first rule that fits decides. */
const RULES: readonly {
  readonly ofArticle: (article: DesiredArticle) => string
  readonly ofEntry: (entry: RemoteEntry) => string
}[] = [
  {
    ofArticle: ({ key, slug, language }) => `${key} ${language ?? ''} ${slug}`,
    ofEntry: ({ ours, slug, language }) => `${ours?.key ?? ''} ${language ?? ''} ${slug}`,
  },
  {
    ofArticle: ({ slug, language }) => `${language ?? ''} ${slug}`,
    ofEntry: ({ slug, language }) => `${language ?? ''} ${slug}`,
  },
  {
    // A translation that was copied on the target carries the marker of its original.
    ofArticle: ({ key, language }) => `${key} ${language ?? ''}`,
    ofEntry: ({ ours, language }) => `${ours?.key ?? ''} ${language ?? ''}`,
  },
]

/** Gives articles that have none yet one of `entries`; returns the entries that are left. */
function assign(
  articles: readonly DesiredArticle[],
  entries: readonly RemoteEntry[],
  fingerprints: ReadonlyMap<string, string>,
  entryOf: Map<string, RemoteEntry>,
): ReadonlySet<RemoteEntry> {
  const free = new Set(entries)
  for (const { ofArticle, ofEntry } of RULES) {
    const groups = groupBy(free, ofEntry)
    for (const article of articles) {
      if (entryOf.has(article.source)) continue
      const candidates = groups.get(ofArticle(article))?.filter((candidate) => free.has(candidate)) ?? []
      const wanted = fingerprints.get(article.source)
      const entry = candidates.find(({ ours }) => ours?.fingerprint === wanted) ?? candidates[0]
      if (entry === undefined) continue
      free.delete(entry)
      entryOf.set(article.source, entry)
    }
  }
  return free
}

function byIdentity(a: RemoteEntry, b: RemoteEntry): number {
  const age = (a.remote?.createdMs ?? 0) - (b.remote?.createdMs ?? 0)
  return age === 0 ? (a.id < b.id ? -1 : 1) : age
}
