/** Returns a function that counts how often each key was requested: 1 for the first time. For ids of equal items. */
export function createRepeatCounter(): (key: string) => number {
  const seen = new Map<string, number>()
  return (key) => {
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count
  }
}
