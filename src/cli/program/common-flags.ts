import type { Command } from 'commander'
import type { ExitCode } from '../../core/errors/exit-codes.ts'

/** Says how the command ended. */
export type SetExitCode = (code: ExitCode) => void

/** The flags that every command has. */
export function common(command: Command): Command {
  return command
    .option('--cwd <dir>', 'the project folder (default: the current one)')
    .option('--config <file>', 'configuration file (default: kb.config.ts)')
    .option('-q, --quiet', 'print results only')
    .option('-v, --verbose', 'print every operation and warning')
}
