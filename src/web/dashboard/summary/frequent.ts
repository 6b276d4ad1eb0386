import { compareTexts } from '../../../core/compare-texts.ts'

/** The count of a key in a stream, with its first entries. */
export interface Frequent<T> {
  readonly key: string
  /** A minimum if it is not exact. */
  readonly count: number
  readonly isExact: boolean
  readonly first: readonly T[]
}

interface Tally<T> {
  count: number
  /** Maximum count of the key before it was last dropped. */
  readonly missed: number
  readonly first: T[]
}

/**
 * Counts keys, exactly for fewer than twice `capacity` different ones. With more, the rarest are dropped at intervals
 * (Metwally's space-saving, in batches): a key with more than one in `capacity` always stays.
 *
 * @param keep number of entries to keep for each key
 */
export function createFrequentCounter<T>(capacity: number, keep: number) {
  const tallies = new Map<string, Tally<T>>()
  let forgotten = 0

  const forgetRarest = (): void => {
    const rarest = [...tallies].toSorted(([, a], [, b]) => atMost(b) - atMost(a)).slice(capacity)
    for (const [key, tally] of rarest) {
      forgotten = Math.max(forgotten, atMost(tally))
      tallies.delete(key)
    }
  }

  return {
    add: (key: string, entry: T) => {
      const known = tallies.get(key)
      const tally = known ?? { count: 0, missed: forgotten, first: [] }
      tally.count += 1
      if (tally.first.length < keep) tally.first.push(entry)
      if (known !== undefined) return
      tallies.set(key, tally)
      if (tallies.size >= 2 * capacity) forgetRarest()
    },
    /** Returns the most frequent keys, sorted by count, then key. */
    most: (limit: number) =>
      [...tallies]
        .toSorted(([a, one], [b, other]) => other.count - one.count || compareTexts(a, b))
        .slice(0, limit)
        .map(([key, { count, missed, first }]) => ({ key, count, isExact: missed === 0, first })),
    /** Returns the number of different keys; undefined if there are too many to keep. */
    size: () => (forgotten === 0 ? tallies.size : undefined),
  }
}

function atMost(tally: Tally<unknown>): number {
  return tally.count + tally.missed
}
