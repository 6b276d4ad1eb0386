import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { runNode } from '../measure/run-process.mjs'

const REMARK = fileURLToPath(new URL('../floors/remark.mjs', import.meta.url))

/** remark alone needs minutes for the whole: it is timed on about this many files and scaled by bytes. */
const REMARK_SAMPLE = 500

/** Goals beside each peer, in wall and in CPU time. */
const GOALS = { hugo: ['<= 1.3x', '<= 2.5x'], eleventy: ['<= 0.5x', ''] }

/**
 * Check, render and push everything to the durable embedded server, from nothing, in wall and in CPU time. Leaves the
 * project synced.
 */
export async function measureFirstSync({ project, scratch, peers, slowRuns }) {
  const built = Object.entries(peers).flatMap(([peer, make]) => {
    const contender = make?.(project.content)
    return contender !== undefined && isUsable(contender) ? [{ ...contender, peer }] : []
  })
  const contenders = [firstSync(project), ...built, remark(project, scratch)]
  const cpu = new Map(contenders.map(({ name }) => [name, []]))
  const [ours, ...others] = await compare(
    contenders.map((contender) => timed(contender, cpu)),
    { runs: slowRuns },
  )
  const remarkTimes = others.pop()
  const besideBy = (samplesOf, index) =>
    others.map(({ name, samples }, at) => ({
      name,
      samples: samplesOf(name, samples),
      goal: GOALS[built[at].peer][index],
    }))
  const title = `first sync, ${project.files.length.toLocaleString('en-US')} documents`
  const cpuOf = (name) => cpu.get(name).slice(-slowRuns)
  return [
    {
      title,
      unit: 'ms',
      ours: ours.samples,
      beside: [...besideBy((_, samples) => samples, 0), { ...remarkTimes, goal: '>= 8x', isInverse: true }],
    },
    { title: `${title}, CPU`, unit: 'ms', ours: cpuOf(ours.name), beside: besideBy(cpuOf, 1) },
  ]
}

/** A peer may refuse documents that we accept: then it is said, and the rest is measured. */
function isUsable({ name, prepare, run }) {
  try {
    prepare()
    run()
    return true
  } catch (error) {
    process.stderr.write(`${name} cannot build these documents: ${error.message.slice(0, 300)}\n`)
    return false
  }
}

function timed({ run, ...contender }, cpu) {
  return {
    ...contender,
    run() {
      const { ms, cpuMs } = run()
      cpu.get(contender.name).push(cpuMs)
      return ms
    },
  }
}

function firstSync({ root }) {
  return {
    name: 'kb sync',
    prepare: () => rmSync(join(root, '.kb'), { recursive: true, force: true }),
    run: () => runNode([BINARY, 'sync', '--quiet', '--cwd', root], { measuresCpu: true }),
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
      return { ms: sample.ms * (bytes / sample.bytes) }
    },
  }
}
