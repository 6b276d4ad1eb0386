import { CommanderError } from 'commander'
import { EXIT, type ExitCode } from '../errors/exit-codes.ts'
import { KbError } from '../errors/kb-error.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { createProgram } from './program.ts'
import { reportFailure } from './report-failure.ts'
import { spellOutHelp } from './spell-out-help.ts'

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const terminal = createTerminal(process)
  let exitCode: ExitCode = EXIT.done
  try {
    const program = createProgram(terminal, (code) => {
      exitCode = code
    })
    await program.parseAsync(spellOutHelp(argv), { from: 'user' })
    return exitCode
  } catch (error) {
    return fail(error, argv, terminal)
  }
}

function fail(error: unknown, argv: readonly string[], terminal: Terminal): ExitCode {
  // Help and version are not failures; commander has printed them.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
  if (error instanceof CommanderError && error.code === 'commander.help') {
    // A program that waits for a document gets one all the same.
    if (wantsJson(argv)) reportFailure(COMMAND_MISSING, true, terminal)
    return EXIT.usage
  }
  reportFailure(error, wantsJson(argv), terminal)
  if (error instanceof CommanderError) return EXIT.usage
  return error instanceof KbError ? error.exitCode : EXIT.failed
}

const COMMAND_MISSING = new KbError('USAGE', 'The command is not complete.', {
  hint: 'Its help lists what may follow.',
})

/** Even a command line that cannot be understood may ask for JSON. */
function wantsJson(argv: readonly string[]): boolean {
  return (
    argv.includes('--json') ||
    argv.some(
      (word, index) => word === '--format=json' || (word === '--format' && argv[index + 1] === 'json'),
    )
  )
}
