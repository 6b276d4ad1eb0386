interface Counter<Entry, Summary> {
  readonly add: (entry: Entry) => unknown
  readonly summary: () => Summary
}

/** Returns the result of a counter for all entries. */
export function countAll<Entry, Summary>(
  counter: Counter<Entry, Summary>,
  entries: Iterable<Entry>,
): Summary {
  for (const entry of entries) counter.add(entry)
  return counter.summary()
}
