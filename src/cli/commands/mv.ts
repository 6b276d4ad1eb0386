import type { MoveResult } from '../../authoring/move/move-options.ts'
import { moveSource } from '../../authoring/move/move-source.ts'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import type { CommonOptions } from './common-options.ts'
import { formatMoved, formatMovedJson } from '../results/format-moved.ts'
import { runOnProject } from './run-on-project.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface MoveCommandOptions extends CommonOptions {
  readonly dryRun?: boolean
  readonly newSlug?: boolean
}

/** `kb mv OLD NEW` */
export async function runMove(
  from: string,
  to: string,
  options: MoveCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return runOnProject([], options, terminal, async ({ settings, cwd, signal }) => {
    const { dryRun, newSlug } = options
    const result = await moveSource({ settings, cwd, from, to, dryRun, newSlug, signal })
    terminal.out(options.json === true ? formatMovedJson(result) : formatMoved(result, options))
    return exitCodeOf(result)
  })
}

/** Links that were left behind are mistakes in the content. */
function exitCodeOf({ left }: MoveResult): ExitCode {
  return left.length > 0 ? EXIT.failed : EXIT.done
}
