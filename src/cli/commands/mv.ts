import type { MoveOptions } from '../../kb/options.ts'
import { exitCodeOfMove } from '../results/exit-code.ts'
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
    return exitCodeOfMove(result)
  })
}
