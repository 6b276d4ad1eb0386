import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from './run-process.mjs'

const REPORTER = new URL('report-peak.mjs', import.meta.url).href

/** Peak memory in MiB of a Node process with all its threads. */
export function measurePeak(args, scratch, env = {}) {
  const file = join(scratch, 'peak')
  runNode(['--import', REPORTER, ...args], { env: { ...env, BENCH_PEAK_FILE: file } })
  return Number(readFileSync(file, 'utf8')) / 1024 ** 2
}
