import { setImmediate as turn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { FoundEntry, SearchIndex } from './search-index.ts'
import type { SearchQuery } from '../page-source.ts'

type Searcher = (query: SearchQuery) => Promise<readonly FoundEntry[]>

/** Maximum time of one search, and the minimum if many wait. Then it returns what it has found. */
const BUDGET_MS = 1000
const LEAST_MS = 30

/** Maximum time that it blocks everything else, besides the current step. */
const SLICE_MS = 10

/**
 * Runs searches one after another, in slices between which everything else continues, within a time limit.
 *
 * @param indexOf returns the current index
 */
export function createSearcher(indexOf: () => SearchIndex): Searcher {
  const oneAtATime = pLimit(1)
  return (query) =>
    oneAtATime(() => searchInSlices(indexOf(), query, BUDGET_MS / (1 + oneAtATime.pendingCount)))
}

async function searchInSlices(index: SearchIndex, query: SearchQuery, budgetMs: number) {
  let found: readonly FoundEntry[] = []
  let workedMs = 0
  let began = performance.now()
  for (const better of index.search(query)) {
    found = better
    const sliceMs = performance.now() - began
    if (workedMs + sliceMs > Math.max(budgetMs, LEAST_MS)) break
    if (sliceMs < SLICE_MS) continue
    workedMs += sliceMs
    await turn()
    began = performance.now()
  }
  return found
}
