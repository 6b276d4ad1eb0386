import { appendFileSync } from 'node:fs'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { runNode } from '../measure/run-process.mjs'

const BARE = { name: 'node -e 0', run: () => runNode(['-e', '0']).ms }

// Runs this short vary more and cost less.
const MORE_RUNS = 4

/** How long a run takes that only says its version. */
export async function measureVersion({ runs }) {
  return measureStart('kb --version', [BINARY, '--version'], '<= 1.15x', runs)
}

/** How long a run takes that finds nothing to do in a small project. */
export async function measureSmallNoOp({ small, runs }) {
  const args = [BINARY, 'sync', '--quiet', '--cwd', small.root]
  runNode(args)
  return measureStart(`no-op sync, ${small.files.length} documents`, args, '<= 3x', runs)
}

/** How long it takes to send the one article that was edited in a small project. */
export async function measureSmallChange({ small, runs }) {
  const args = [BINARY, 'sync', '--quiet', '--cwd', small.root]
  runNode(args)
  const edit = (round) => appendFileSync(small.files[0], `\nEdited in round ${round}.\n`)
  return measureStart(`one change, ${small.files.length} documents`, args, '<= 6x', runs, edit)
}

async function measureStart(title, args, goal, runs, prepare) {
  const contenders = [{ name: title, prepare, run: () => runNode(args).ms }, BARE]
  const [ours, bare] = await compare(contenders, { runs: runs * MORE_RUNS, warmUps: 2 })
  return { title, unit: 'ms', ours: ours.samples, beside: [{ ...bare, goal }] }
}
