/** A list and its full length: `total` is greater than the number of entries if it was cut. */
export interface Listing<T> {
  readonly total: number
  readonly entries: readonly T[]
}

/** Returns the first entries of a stream in an order. Keeps at most twice the requested number in memory. */
export function createLeast<T>(limit: number, compare: (a: T, b: T) => number) {
  let entries: T[] = []
  // Entries that are not before it are dropped.
  let bound: { readonly entry: T } | undefined

  const cut = (): void => {
    entries = entries.toSorted(compare).slice(0, limit)
    const last = entries.at(-1)
    if (entries.length === limit && last !== undefined) bound = { entry: last }
  }

  return {
    add: (entry: T) => {
      if (limit < 1 || (bound !== undefined && compare(entry, bound.entry) >= 0)) return
      entries.push(entry)
      if (entries.length >= 2 * limit) cut()
    },
    /** Returns the entries in order; equal entries in the order of the stream. */
    list: () => {
      cut()
      return entries
    },
  }
}
