/** Tells how often each key was asked about so far: 1 the first time. For ids of things that are alike. */
export function createRepeatCounter(): (key: string) => number {
  const seen = new Map<string, number>()
  return (key) => {
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count
  }
}
