import { appendFileSync } from 'node:fs'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { runNode } from '../measure/run-process.mjs'
import { bareHash, countOf } from './no-op.mjs'

/** A sync after one file was edited. */
export async function measureOneChange({ project, runs }) {
  const [file] = project.files
  const ours = {
    name: 'kb sync',
    prepare: (round) => appendFileSync(file, `\nEdited in round ${round}.\n`),
    run: () => runNode([BINARY, 'sync', '--quiet', '--cwd', project.root]).ms,
  }
  const [measured, floor] = await compare([ours, bareHash(project)], { runs })
  const title = `sync of one changed file of ${countOf(project)}`
  return { title, unit: 'ms', ours: measured.samples, beside: [{ ...floor, goal: '<= 2.5x' }] }
}
