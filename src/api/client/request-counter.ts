/** Number of requests sent so far by method, including retries, without unused methods. */
export type RequestCounts = Readonly<Record<string, number>>

export interface RequestCounter {
  add(method: string): void
  snapshot(): RequestCounts
}

export function createRequestCounter(): RequestCounter {
  const counts = new Map<string, number>()
  return {
    add: (method) => void counts.set(method, (counts.get(method) ?? 0) + 1),
    snapshot: () => Object.fromEntries(counts),
  }
}
