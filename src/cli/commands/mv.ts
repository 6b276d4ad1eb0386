import { EXIT } from '../../core/errors/exit-codes.ts'
import type { MoveOptions } from '../../kb/options.ts'
import { formatMoved, formatMovedJson } from '../results/format-moved.ts'
import { type RunCommand, runOnProject } from './run-on-project.ts'

export const runMove: RunCommand<Pick<MoveOptions, 'dryRun' | 'newSlug'>> = async (
  [from = '', to = ''],
  options,
  terminal,
) => {
  const { dryRun, newSlug, json = false } = options
  return runOnProject([], options, terminal, async ({ kb, signal }) => {
    const result = await kb.move({ from, to, dryRun, newSlug, signal })
    terminal.out(json ? formatMovedJson(result) : formatMoved(result, options, terminal))
    // Links that could not be updated are errors in the content.
    return result.left.length > 0 ? EXIT.failed : EXIT.done
  })
}
