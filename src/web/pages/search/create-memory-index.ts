import { BLOCK_SIZE, type StemPostings, toPosting } from './postings.ts'
import { readEntry, type WordIndex } from './word-index.ts'

/** The entries of an article, separated by spaces. */
interface ArticleEntries {
  readonly id: string
  readonly entries: string
}

/** An index in memory to which articles can be added and from which they can be removed. */
export interface MemoryIndex extends WordIndex {
  /** Adds an article, or replaces the one with its id. */
  readonly put: (article: ArticleEntries) => void
  readonly remove: (id: string) => void
}

export function createMemoryIndex(): MemoryIndex {
  const articles = new Map<string, { readonly number: number; readonly stems: readonly string[] }>()
  const ids = new Map<number, string>()
  /** Levels by stem and number of the article. */
  const levels = new Map<string, Map<number, number>>()
  let next = 0

  function remove(id: string): void {
    const { number = -1, stems = [] } = articles.get(id) ?? {}
    for (const stem of stems) {
      const having = levels.get(stem)
      having?.delete(number)
      if (having?.size === 0) levels.delete(stem)
    }
    ids.delete(number)
    articles.delete(id)
  }

  function put({ id, entries }: ArticleEntries): void {
    remove(id)
    const number = next++
    const read = entries === '' ? [] : entries.split(' ').map(readEntry)
    for (const [stem, level] of read) {
      const having = levels.get(stem) ?? new Map<number, number>()
      levels.set(stem, having.set(number, level))
    }
    articles.set(id, { number, stems: read.map(([stem]) => stem) })
    ids.set(number, id)
  }

  function postingsOf(stem: string): StemPostings[] {
    const blocks = new Map<number, string>()
    for (const [number, level] of levels.get(stem) ?? []) {
      const block = Math.floor(number / BLOCK_SIZE)
      blocks.set(block, (blocks.get(block) ?? '') + toPosting(number % BLOCK_SIZE, level))
    }
    return Array.from(blocks, ([block, postings]) => ({ stem, block, postings }))
  }

  return {
    put,
    remove,
    size: async () => articles.size,
    find: async (stems) => stems.flatMap(postingsOf),
    findStarting: async (prefix) =>
      [...levels.keys()].filter((stem) => stem.startsWith(prefix)).flatMap(postingsOf),
    known: async (stems) => stems.filter((stem) => levels.has(stem)),
    hidden: async () => [],
    idsOf: async () => ids,
  }
}
