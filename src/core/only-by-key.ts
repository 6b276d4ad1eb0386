/** What has a key alone, by that key; undefined: several have it. */
export function onlyByKey<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T | undefined> {
  const only = new Map<string, T | undefined>()
  for (const [key, value] of entries) only.set(key, only.has(key) ? undefined : value)
  return only
}
