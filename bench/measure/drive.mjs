import { performance } from 'node:perf_hooks'
import { Pool } from 'undici'

const CONNECTIONS = 8

/**
 * Sends `requests`, eight at a time on eight connections.
 *
 * @returns answers per second, and how busy this side was (0 to 1): close to 1, not the server was the limit
 * @throws when an answer is not 200
 */
export async function drive(url, requests) {
  const pool = new Pool(url, { connections: CONNECTIONS })
  let next = 0
  async function work() {
    while (next < requests.length) {
      const { statusCode, body } = await pool.request(requests[next++])
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${await body.text()}`)
      await body.dump()
    }
  }
  const before = performance.eventLoopUtilization()
  const started = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const seconds = (performance.now() - started) / 1000
  const { utilization } = performance.eventLoopUtilization(before)
  await pool.close()
  return { rate: requests.length / seconds, busy: utilization }
}
