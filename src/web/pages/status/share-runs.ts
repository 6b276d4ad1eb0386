/**
 * Makes a function that is costly cheap to be called often: those who call while one run is under way share the next,
 * so that none gets what was read before the call, and at most two runs wait for each key.
 */
export function shareRuns<T>(run: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const waiting = new Map<string, Promise<T>>()

  const start = (key: string): Promise<T> => {
    waiting.delete(key)
    const begun = run(key).finally(() => {
      if (running.get(key) === begun) running.delete(key)
    })
    running.set(key, begun)
    return begun
  }

  return (key) => {
    const next = waiting.get(key)
    if (next !== undefined) return next
    const current = running.get(key)
    if (current === undefined) return start(key)
    const after = current.then(
      () => start(key),
      () => start(key),
    )
    waiting.set(key, after)
    return after
  }
}
