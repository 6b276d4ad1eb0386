/** A list, and how long it is: `total` is more than `entries` has where it was cut. */
export interface Listing<T> {
  readonly total: number
  readonly entries: readonly T[]
}

/** The least entries of a stream in an order, as many as are wanted; memory does not grow beyond twice that. */
interface Least<T> {
  readonly add: (entry: T) => void
  /** In order; of entries that are equal in it, those that came first. */
  readonly list: () => readonly T[]
}

export function createLeast<T>(limit: number, compare: (a: T, b: T) => number): Least<T> {
  let entries: T[] = []
  // Whatever is not before it need not be kept.
  let bound: { readonly entry: T } | undefined

  const cut = (): void => {
    entries = entries.toSorted(compare).slice(0, limit)
    const last = entries.at(-1)
    if (entries.length === limit && last !== undefined) bound = { entry: last }
  }

  return {
    add: (entry) => {
      if (limit < 1 || (bound !== undefined && compare(entry, bound.entry) >= 0)) return
      entries.push(entry)
      if (entries.length >= 2 * limit) cut()
    },
    list: () => {
      cut()
      return entries
    },
  }
}
