import { expect, test } from 'vitest'
import { createSearcher } from '../../../../src/web/pages/search/create-searcher.ts'
import type { SearchQuery } from '../../../../src/web/pages/page-source.ts'
import type { FoundEntry, SearchIndex } from '../../../../src/web/pages/search/search-index.ts'

const STEP_MS = 15
const STEPS = 200

/** An index in which every step takes its time; tells when searches begin and end. */
function slowIndex(told: string[]): SearchIndex {
  function* search({ text }: SearchQuery): Generator<readonly FoundEntry[]> {
    told.push(`${text} begins`)
    try {
      for (let step = 1; step <= STEPS; step++) {
        for (const end = performance.now() + STEP_MS; performance.now() < end;);
        yield [{ id: String(step), words: [] }]
      }
    } finally {
      told.push(`${text} ends`)
    }
  }
  return { put: () => undefined, *putInSteps() {}, remove: () => undefined, search }
}

const queryOf = (text: string): SearchQuery => ({ viewer: 'reader', text, language: 'en', limit: 9 })

test('a search that takes long lets others have their turn, and ends with what it has found', async () => {
  const told: string[] = []
  const search = createSearcher(() => slowIndex(told))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const found = await Promise.all(['one', 'two', 'three'].map((text) => search(queryOf(text))))
  clearInterval(timer)
  const steps = found.map(([entry]) => Number(entry?.id))
  for (const each of steps) expect(each).toBeGreaterThan(0)
  for (const each of steps) expect(each).toBeLessThan(STEPS / 2)
  expect(turns).toBeGreaterThanOrEqual(Math.max(...steps) - 1)
  expect(told).toEqual(['one', 'two', 'three'].flatMap((text) => [`${text} begins`, `${text} ends`]))
})
