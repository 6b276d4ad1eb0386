import { utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { runNode } from '../measure/run-process.mjs'

const STAT = fileURLToPath(new URL('../floors/walk-and-stat.mjs', import.meta.url))
const HASH = fileURLToPath(new URL('../floors/walk-and-hash.mjs', import.meta.url))

// 2020-01-01 in seconds; every round gets another second of it.
const SOME_TIME = 1_577_836_800

/** A second sync of a project that is synced, with nothing changed. `hugo` are the times of its build in this run. */
export async function measureNoOp({ project, runs, hugo }) {
  const [ours, floor] = await compare([noOp(project), bareStat(project)], { runs, warmUps: 2 })
  return {
    title: `no-op sync, nothing touched, ${countOf(project)}`,
    unit: 'ms',
    ours: ours.samples,
    beside: [{ ...floor, goal: '<= 2x' }, ...(hugo === undefined ? [] : [{ ...hugo, goal: '<= 0.05x' }])],
  }
}

/** The same when every file has another time, as after a fresh checkout. */
export async function measureTouchedNoOp({ project, runs }) {
  const touchAll = (round) => {
    for (const file of project.files) utimesSync(file, SOME_TIME + round, SOME_TIME + round)
  }
  const [ours, floor] = await compare([{ ...noOp(project), prepare: touchAll }, bareHash(project)], { runs })
  return {
    title: `no-op sync, all times changed, ${countOf(project)}`,
    unit: 'ms',
    ours: ours.samples,
    beside: [{ ...floor, goal: '<= 2x' }],
  }
}

export function countOf({ files }) {
  return files.length.toLocaleString('en-US')
}

function noOp({ root }) {
  return { name: 'kb sync', run: () => runNode([BINARY, 'sync', '--quiet', '--cwd', root]).ms }
}

function bareStat({ content }) {
  return { name: 'bare walk and stat', run: () => runNode([STAT, content]).ms }
}

export function bareHash({ content }) {
  return { name: 'bare walk, read and hash', run: () => runNode([HASH, content]).ms }
}
