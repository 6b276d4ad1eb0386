/** The entries by key; undefined if several have the same key. */
export function onlyByKey<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T | undefined> {
  const only = new Map<string, T | undefined>()
  for (const [key, value] of entries) only.set(key, only.has(key) ? undefined : value)
  return only
}
