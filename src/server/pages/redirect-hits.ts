import type { RedirectHit, RedirectPlace } from '../store/reader-data.ts'
import type { Store } from '../store/open-store.ts'

/** Counts how often readers follow redirects. Stores nothing about the readers. */
export type RedirectHits = ReturnType<typeof createRedirectHits>

interface RedirectHitsOptions {
  readonly store: Store
  readonly siteId: string
  readonly clock: () => Date
}

/** Maximum time between a hit and storing its count. */
const STORED_AFTER_MS = 30_000

/** Collects counts in memory and stores them together, so that following a redirect writes nothing. */
export function createRedirectHits({ store, siteId, clock }: RedirectHitsOptions) {
  let counted = new Map<string, RedirectHit>()
  let timer: NodeJS.Timeout | undefined

  function count(place: RedirectPlace, hits: number): void {
    const key = `${place.kind} ${place.language}/${place.slug}`
    counted.set(key, { ...place, hits: hits + (counted.get(key)?.hits ?? 0) })
    timer ??= setTimeout(() => void flush(), STORED_AFTER_MS).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const hits = [...counted.values()]
    counted = new Map()
    if (hits.length === 0) return
    try {
      await store.addRedirectHits(siteId, hits, clock().toISOString())
    } catch {
      // The database is busy or stopping, so these are stored with the next ones.
      for (const each of hits) count(each, each.hits)
    }
  }

  return {
    count: (place: RedirectPlace) => count(place, 1),
    /** Stores the last counts. */
    async close() {
      await flush()
      clearTimeout(timer)
    },
  }
}
