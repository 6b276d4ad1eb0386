import { type ArticleEntries, LEVELS, type WordIndex, type WordQuery } from './word-index.ts'

/** An index in memory that articles can be added to and removed from. */
export interface MemoryIndex extends WordIndex {
  /** Adds an article, or replaces the one with its id. */
  readonly put: (article: ArticleEntries) => void
  readonly remove: (id: string) => void
}

export function createMemoryIndex(): MemoryIndex {
  const articles = new Map<string, ArticleEntries>()
  const ids = new Map<string, Set<string>>()

  function remove(id: string): void {
    for (const entry of listEntries(articles.get(id))) {
      const having = ids.get(entry)
      having?.delete(id)
      if (having?.size === 0) ids.delete(entry)
    }
    articles.delete(id)
  }

  function put(article: ArticleEntries): void {
    remove(article.id)
    articles.set(article.id, article)
    for (const entry of listEntries(article)) {
      const having = ids.get(entry) ?? new Set()
      ids.set(entry, having.add(article.id))
    }
  }

  function matching(query: WordQuery): ReadonlySet<string> {
    if (query.kind === 'entry') return ids.get(query.entry) ?? new Set()
    if (query.kind === 'prefix') {
      const { prefix } = query
      const entries = prefix.endsWith('=')
        ? LEVELS.map((level) => prefix + level)
        : [...ids.keys()].filter((entry) => entry.startsWith(prefix))
      return new Set(entries.flatMap((entry) => [...(ids.get(entry) ?? [])]))
    }
    const sets = query.of.map(matching)
    if (query.kind === 'any') return new Set(sets.flatMap((set) => [...set]))
    const [first, ...others] = sets.toSorted((a, b) => a.size - b.size)
    return new Set([...(first ?? [])].filter((id) => others.every((set) => set.has(id))))
  }

  return {
    put,
    remove,
    size: async () => articles.size,
    count: async (query, limit) => Math.min(matching(query).size, limit),
    find: async (query, limit) =>
      [...matching(query)]
        .toSorted()
        .slice(0, limit)
        .flatMap((id) => articles.get(id) ?? []),
  }
}

function listEntries(article: ArticleEntries | undefined): string[] {
  return article === undefined || article.entries === '' ? [] : article.entries.split(' ')
}
