import type { Place } from './place.ts'

/** Remembers where articles lay, so that a page that is open when its slug changes finds the way to the new one. */
export interface Moves {
  /** @param to undefined where the article is gone */
  readonly note: (from: Place, to: Place | undefined, source: string) => void
  /** Source of the article that lay there; language undefined: any. */
  readonly from: (place: Place) => string | undefined
}

/** Where so many moves are remembered, the oldest is forgotten. */
const LIMIT = 1000

export function createMoves(): Moves {
  const sources = new Map<string, string>()
  const keyOf = ({ slug, language }: Place) => `${language ?? ''} ${slug}`
  return {
    note: (from, to, source) => {
      if (to !== undefined && keyOf(from) === keyOf(to)) return
      for (const key of [keyOf(from), keyOf({ ...from, language: undefined })]) {
        sources.delete(key)
        sources.set(key, source)
      }
      for (const oldest of sources.keys()) {
        if (sources.size <= LIMIT) break
        sources.delete(oldest)
      }
    },
    from: (place) => sources.get(keyOf(place)),
  }
}
