// Preloaded into a measured Node process: at its end, writes its peak memory in bytes into $BENCH_PEAK_FILE.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const STATUS = '/proc/self/status'

// Worker threads belong to the same process and are counted with it.
if (isMainThread) process.on('exit', () => writeFileSync(process.env.BENCH_PEAK_FILE, String(readPeak())))

function readPeak() {
  // On Linux, maxRSS starts at what the parent had when it started this process; VmHWM does not.
  const [, kilobytes] = existsSync(STATUS)
    ? (/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS, 'utf8')) ?? [])
    : []
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024
}
