import { CommanderError } from 'commander'
import { EXIT, type ExitCode } from '../core/errors/exit-codes.ts'
import { createTerminal, type Terminal } from './terminal/terminal.ts'
import { createProgram, spellOutHelp } from './program/program.ts'

/** Runs a command line and returns its exit code. Default terminal: that of the process. */
export async function main(
  argv: readonly string[],
  terminal: Terminal = createTerminal(process),
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done
  const program = createProgram(terminal, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(spellOutHelp(argv, program), { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and version are not failures; commander has already printed them.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
    const { explainFailure } = await import('./program/explain-failure.ts')
    return explainFailure(error, argv, program, terminal)
  }
}
