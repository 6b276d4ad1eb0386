import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import type { MoveOptions } from '../../kb/options.ts'
import { formatMoved, formatMovedJson } from '../results/format-moved.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type CommonFlags, runOnProject } from './run-on-project.ts'

export async function runMove(
  [from = '', to = '']: readonly string[],
  options: CommonFlags & Pick<MoveOptions, 'dryRun' | 'newSlug'>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { dryRun, newSlug, json = false } = options
  return runOnProject([], options, terminal, async ({ kb, signal }) => {
    const result = await kb.move({ from, to, dryRun, newSlug, signal })
    terminal.out(json ? formatMovedJson(result) : formatMoved(result, options, terminal))
    // Links that could not be updated are errors in the content.
    return result.left.length > 0 ? EXIT.failed : EXIT.done
  })
}
