import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { runNode } from '../measure/run-process.mjs'

const REMARK = fileURLToPath(new URL('../floors/remark.mjs', import.meta.url))

/** remark alone needs minutes for the whole: it is timed on about this many files and scaled by bytes. */
const REMARK_SAMPLE = 500

/** Check, render and push everything to the durable embedded server, from nothing. Leaves the project synced. */
export async function measureFirstSync({ project, scratch, peers, slowRuns }) {
  const [hugo, eleventy] = [peers.hugo, peers.eleventy]
  const contenders = [remark(project, scratch), hugo, eleventy, firstSync(project)].filter(Boolean)
  const measured = await compare(contenders, { runs: slowRuns })
  const [ours, remarkTimes] = [measured.at(-1), measured[0]]
  const besideOf = (peer, goal) =>
    peer === undefined ? [] : [{ ...measured.find(({ name }) => name === peer.name), goal }]
  return {
    title: `first sync, ${project.files.length.toLocaleString('en-US')} documents`,
    unit: 'ms',
    ours: ours.samples,
    beside: [
      ...besideOf(hugo, '<= 1x'),
      ...besideOf(eleventy, '<= 0.5x'),
      { ...remarkTimes, goal: '>= 8x', isInverse: true },
    ],
  }
}

function firstSync({ root }) {
  return {
    name: 'kb sync',
    prepare: () => rmSync(join(root, '.kb'), { recursive: true, force: true }),
    run: () => runNode([BINARY, 'sync', '--quiet', '--cwd', root]).ms,
  }
}

function remark({ files, bytes }, scratch) {
  const step = Math.max(1, Math.floor(files.length / REMARK_SAMPLE))
  const list = join(scratch, 'remark-files.json')
  writeFileSync(list, JSON.stringify(files.filter((_, index) => index % step === 0)))
  return {
    name: step === 1 ? 'remark alone (its time / ours)' : 'remark, sampled (its time / ours)',
    run() {
      const sample = JSON.parse(runNode([REMARK, list]).stdout)
      return sample.ms * (bytes / sample.bytes)
    },
  }
}
