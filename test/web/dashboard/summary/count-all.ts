interface Counter<Entry, Summary> {
  readonly add: (entry: Entry) => unknown
  readonly summary: () => Summary
}

/** What a counter says when it was given all entries. */
export function countAll<Entry, Summary>(
  counter: Counter<Entry, Summary>,
  entries: Iterable<Entry>,
): Summary {
  for (const entry of entries) counter.add(entry)
  return counter.summary()
}
