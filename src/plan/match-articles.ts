import type { DesiredArticle } from '../model/document.ts'
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
 * fingerprint (by source, where known) is taken, then the older one. The order of the input does not matter.
 */
export function matchArticles(
  articles: readonly DesiredArticle[],
  entries: readonly RemoteEntry[],
  fingerprints: ReadonlyMap<string, string> = new Map(),
): Matches {
  const entryOf = new Map<string, RemoteEntry>()
  const free = new Set(entries.filter((entry) => entry.ours !== undefined).toSorted(byIdentity))
  const rules: readonly ((article: DesiredArticle) => string)[] = [
    ({ key, slug }) => `${key} ${slug}`,
    ({ slug, language }) => `${language ?? ''} ${slug}`,
    ({ key }) => key,
  ]
  const keysOf: readonly ((entry: RemoteEntry) => string)[] = [
    (entry) => `${entry.ours?.key ?? ''} ${entry.slug}`,
    (entry) => `${entry.language ?? ''} ${entry.slug}`,
    (entry) => entry.ours?.key ?? '',
  ]
  const sorted = articles.toSorted((a, b) => (a.source < b.source ? -1 : 1))
  rules.forEach((rule, index) => {
    const byKey = groupFree(free, keysOf[index] ?? (() => ''))
    for (const article of sorted) {
      if (entryOf.has(article.source)) continue
      const candidates = byKey.get(rule(article))?.filter((candidate) => free.has(candidate)) ?? []
      const wanted = fingerprints.get(article.source)
      const entry = candidates.find(({ ours }) => ours?.fingerprint === wanted) ?? candidates[0]
      if (entry === undefined) continue
      free.delete(entry)
      entryOf.set(article.source, entry)
    }
  })
  const taken = new Set([...entryOf.values()].map((entry) => entry.ours?.key))
  const left = [...free]
  return {
    entryOf,
    orphans: left.filter((entry) => !taken.has(entry.ours?.key)),
    doubles: left.filter((entry) => taken.has(entry.ours?.key)),
  }
}

function groupFree(
  free: ReadonlySet<RemoteEntry>,
  keyOf: (entry: RemoteEntry) => string,
): Map<string, RemoteEntry[]> {
  const groups = new Map<string, RemoteEntry[]>()
  for (const entry of free) {
    const group = groups.get(keyOf(entry))
    if (group === undefined) groups.set(keyOf(entry), [entry])
    else group.push(entry)
  }
  return groups
}

function byIdentity(a: RemoteEntry, b: RemoteEntry): number {
  const age = (a.remote?.createdMs ?? 0) - (b.remote?.createdMs ?? 0)
  return age === 0 ? (a.id < b.id ? -1 : 1) : age
}
