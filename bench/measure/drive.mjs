import { performance } from 'node:perf_hooks'
import { Pool } from 'undici'

const CONNECTIONS = 8

/**
 * Sends `requests`, one at a time on each of eight connections.
 *
 * @returns answers per second, and how busy this side was (0 to 1): close to 1, not the server was the limit
 * @throws when an answer is not 200
 */
export async function drive(url, requests) {
  return driveAll([url], requests, CONNECTIONS)
}

/** The same with another number of connections, which the servers at `urls` share. */
export async function driveAll(urls, requests, connections) {
  const pools = urls.map((url) => new Pool(url, { connections: Math.ceil(connections / urls.length) }))
  let next = 0
  async function work(_, index) {
    const url = urls[index % urls.length]
    while (next < requests.length) {
      const { statusCode, body } = await pools[index % pools.length].request(requests[next++])
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${await body.text()}`)
      await body.dump()
    }
  }
  const before = performance.eventLoopUtilization()
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - started) / 1000
  const { utilization } = performance.eventLoopUtilization(before)
  await Promise.all(pools.map((pool) => pool.close()))
  return { rate: requests.length / seconds, busy: utilization }
}
