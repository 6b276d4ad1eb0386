// Preloaded into a measured Node process (with --expose-gc): at each SIGUSR2, collects garbage and writes what the
// process uses into $BENCH_USAGE_FILE, as JSON. Processor time is taken before and after, so that the collecting can be
// left out of a measured pause.
import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const FILE = process.env.BENCH_USAGE_FILE

if (isMainThread) {
  process.on('SIGUSR2', () => {
    const before = processorMs()
    globalThis.gc()
    const { heapUsed, rss } = process.memoryUsage()
    writeFileSync(`${FILE}.new`, JSON.stringify({ heapUsed, rss, before, after: processorMs() }))
    renameSync(`${FILE}.new`, FILE)
  })
}

/** Of all threads together. */
function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
