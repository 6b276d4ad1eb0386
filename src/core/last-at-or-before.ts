/**
 * Index of the last item whose key is at most `key`, in a list sorted by key; 0 if there is none.
 */
export function lastAtOrBefore<Item>(
  sorted: readonly Item[],
  key: number,
  keyOf: (item: Item) => number,
): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const item = sorted[middle]
    if (item === undefined || keyOf(item) <= key) low = middle
    else high = middle - 1
  }
  return low
}
