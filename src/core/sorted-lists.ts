/** Returns the range of the items with a key, in a list sorted by key, ascending by code unit. `end` is exclusive. */
export function sortedRange<Item>(sorted: readonly Item[], key: string, keyOf: (item: Item) => string) {
  const start = firstWhere(sorted, (item) => keyOf(item) >= key)
  let end = start
  for (let item = sorted[end]; item !== undefined && keyOf(item) === key; item = sorted[end]) end++
  return { start, end }
}

function firstWhere<Item>(sorted: readonly Item[], isReached: (item: Item) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = sorted[middle]
    if (item === undefined || isReached(item)) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the index of the last item whose key is at most `key`, in a list sorted by key; 0 if there is none. */
export function lastAtOrBefore<Item>(
  sorted: readonly Item[],
  key: number,
  keyOf: (item: Item) => number,
): number {
  return Math.max(0, firstWhere(sorted, (item) => keyOf(item) > key) - 1)
}
