import { setImmediate as turn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { FoundEntry, SearchIndex, SearchQuery } from './search-index.ts'

type Searcher = (query: SearchQuery) => Promise<readonly FoundEntry[]>

/** How long one search may work, and the least it gets where many wait. Then it answers with what it has found. */
const BUDGET_MS = 1000
const LEAST_MS = 30

/** How long it may keep everyone else waiting, beyond the step that it is in. */
const SLICE_MS = 10

/**
 * Searches as anyone may ask for them: one after the other, in slices between which everything else has its turn, and
 * never for long.
 *
 * @param indexOf the index of the moment
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
