import pLimit, { type LimitFunction } from 'p-limit'

/** Runs `work` when a slot is free. */
export type LimitRequest = <Value>(host: string, work: () => Promise<Value>) => Promise<Value>

export interface RequestLimits {
  /** Maximum number of concurrent requests to all hosts. */
  readonly concurrency: number
  /** Maximum number of concurrent requests to one host. */
  readonly perHost: number
  /** Pause after a request before the next one to the same host. */
  readonly hostPauseMs: number
}

interface HostQueue {
  readonly limit: LimitFunction
  /** Number of waiting and running requests, and of pauses. */
  used: number
}

/**
 * Limits concurrent requests, in total and per host. Each host has a limited share of the queue, so that a slow host
 * delays only itself.
 */
export function createRequestLimiter(
  { concurrency, perHost, hostPauseMs }: RequestLimits,
  sleep: (ms: number) => Promise<void>,
): LimitRequest {
  const overall = pLimit(concurrency)
  const hosts = new Map<string, HostQueue>()

  return async (host, work) => {
    const queue = hosts.get(host) ?? { limit: pLimit(perHost), used: 0 }
    hosts.set(host, queue)
    queue.used++
    // The result is returned at once, but the slot becomes free after the pause.
    return new Promise((resolve, reject) => {
      void queue.limit(async () => {
        await overall(work).then(resolve, reject)
        await sleep(hostPauseMs)
        queue.used--
        if (queue.used === 0) hosts.delete(host)
      })
    })
  }
}
