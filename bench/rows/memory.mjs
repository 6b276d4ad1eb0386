import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY } from '../kb.mjs'
import { measurePeak } from '../measure/peak-memory.mjs'

/** Most memory a first sync holds at one time, threads included. Leaves the project synced. */
export async function measureMemory({ project: { root, files }, scratch, slowRuns }) {
  const ours = Array.from({ length: slowRuns }, () => {
    rmSync(join(root, '.kb'), { recursive: true, force: true })
    return measurePeak([BINARY, 'sync', '--quiet', '--cwd', root], scratch)
  })
  const title = `peak memory, first sync of ${files.length.toLocaleString('en-US')}`
  return { title, unit: 'MiB', ours, beside: [], goal: '<= 350 MiB' }
}
