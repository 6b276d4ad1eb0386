/** Number of requests sent so far by method, including retries, without unused methods. */
export type RequestCounts = Readonly<Record<string, number>>

export type RequestCounter = ReturnType<typeof createRequestCounter>

export function createRequestCounter() {
  const counts = new Map<string, number>()
  return {
    add: (method: string) => void counts.set(method, (counts.get(method) ?? 0) + 1),
    snapshot: () => Object.fromEntries(counts),
  }
}
