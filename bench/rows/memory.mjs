import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY } from '../kb.mjs'
import { measurePeak } from '../measure/peak-memory.mjs'
import { median } from '../measure/statistics.mjs'

/** Most memory a first sync holds at one time, threads included. Leaves the project synced. */
export async function measureMemory({ project, scratch, slowRuns }) {
  const ours = Array.from({ length: slowRuns }, () => peakOfFirstSync(project, scratch))
  return { ...memoryRow(project, ours), goal: '<= 350 MiB' }
}

/** The same on a larger project, beside the smaller one's. */
export async function measureLargeMemory({ large, scratch, smallerPeaks }) {
  const ours = [peakOfFirstSync(large, scratch)]
  const beside = [{ name: 'the same, fewer documents', samples: [median(smallerPeaks)], goal: '<= 1.3x' }]
  return { ...memoryRow(large, ours), beside }
}

function memoryRow({ files }, ours) {
  const title = `peak memory, first sync of ${files.length.toLocaleString('en-US')}`
  return { title, unit: 'MiB', ours, beside: [] }
}

function peakOfFirstSync({ root }, scratch) {
  rmSync(join(root, '.kb'), { recursive: true, force: true })
  return measurePeak([BINARY, 'sync', '--quiet', '--cwd', root], scratch)
}
