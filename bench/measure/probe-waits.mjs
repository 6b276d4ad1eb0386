// Asks GET /healthz of a server over and over from a thread of its own, so that what the benchmark does meanwhile does
// not count as a wait.
import { get, Agent } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** Time between two questions. */
const PAUSE_MS = 2

/**
 * Runs `work` while the server at `url` is asked for /healthz.
 *
 * @returns the longest wait for an answer in ms, one that was under way when the work ended included
 */
export async function longestWait(url, work) {
  const prober = new Worker(new URL(import.meta.url), { workerData: { url } })
  const heard = () =>
    new Promise((resolve, reject) => {
      prober.once('message', resolve)
      prober.once('error', reject)
    })
  await heard()
  await work()
  const waited = heard()
  prober.postMessage('stop')
  return waited
}

async function probe(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise((resolve, reject) => {
      const started = performance.now()
      get(`${url}/healthz`, { agent }, (response) => {
        response.resume().once('end', () => resolve(performance.now() - started))
      }).once('error', reject)
    })
  const stop = new AbortController()
  parentPort.once('message', () => stop.abort())
  // The first one opens the connection.
  await ask()
  parentPort.postMessage('ready')
  let longest = 0
  while (!stop.signal.aborted) {
    longest = Math.max(longest, await ask())
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  agent.destroy()
  parentPort.postMessage(longest)
}

if (!isMainThread && workerData?.url !== undefined) await probe(workerData.url)
