import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { runNode } from '../measure/run-process.mjs'

const BARE = { name: 'node -e 0', run: () => runNode(['-e', '0']).ms }

// Runs this short vary more and cost less.
const MORE_RUNS = 4

/** How long a run takes that only says its version. */
export async function measureVersion({ runs }) {
  return measureStart('kb --version', [BINARY, '--version'], '<= 1.5x', runs)
}

/** How long a run takes that finds nothing to do in a small project. */
export async function measureSmallNoOp({ small, runs }) {
  const args = [BINARY, 'sync', '--quiet', '--cwd', small.root]
  runNode(args)
  return measureStart(`no-op sync, ${small.files.length} documents`, args, '<= 3x', runs)
}

async function measureStart(title, args, goal, runs) {
  const contenders = [{ name: title, run: () => runNode(args).ms }, BARE]
  const [ours, bare] = await compare(contenders, { runs: runs * MORE_RUNS, warmUps: 2 })
  return { title, unit: 'ms', ours: ours.samples, beside: [{ ...bare, goal }] }
}
