import { type Command, CommanderError } from 'commander'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { didYouMean } from '../../core/nearest.ts'
import { reportFailure, toFailureReport } from '../failures/report-failure.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Reports a failed command line in the requested format, and returns the exit code. */
export async function explainFailure(
  error: unknown,
  argv: readonly string[],
  program: Command,
  terminal: Terminal,
): Promise<ExitCode> {
  const asJson = wantsJson(argv)
  if (error instanceof CommanderError && error.code === 'commander.help') {
    // A program that expects JSON gets it even without a command.
    if (asJson) reportFailure(COMMAND_MISSING, true, terminal)
    return EXIT.usage
  }
  // With JSON, stdout contains nothing else.
  if (!asJson && wantsFormat(argv, 'github')) {
    // Reviewers of the pull request must also see it.
    const { formatNotice } = await import('../diagnostics/format-github.ts')
    const { code, message } = toFailureReport(error)
    terminal.out(formatNotice('error', message, code))
  }
  reportFailure(explainUsage(error, argv, program) ?? error, asJson, terminal)
  if (error instanceof CommanderError) return EXIT.usage
  return error instanceof KbError ? error.exitCode : EXIT.failed
}

const COMMAND_MISSING = new KbError('USAGE', 'The command is incomplete.', {
  hint: 'Its help lists the subcommands.',
})

/** Even an invalid command line may request JSON. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.includes('--json') || wantsFormat(argv, 'json')
}

function wantsFormat(argv: readonly string[], format: string): boolean {
  return argv.some(
    (word, index) => word === `--format=${format}` || (word === '--format' && argv[index + 1] === format),
  )
}

/** Returns a usage error with a suggestion or the place of the help, or undefined for any other failure. */
export function explainUsage(error: unknown, argv: readonly string[], program: Command): KbError | undefined {
  if (!(error instanceof CommanderError)) return undefined
  const { message, hint = hintFor(error, argv, program) } = toFailureReport(error)
  return new KbError('USAGE', message, { ...(hint !== undefined && { hint }) })
}

function hintFor({ code, message }: CommanderError, argv: readonly string[], program: Command) {
  const [first = ''] = argv
  const help = `${commandOf(argv, program)} --help`
  const isUnknown = code === 'commander.unknownOption'
  if (code === 'commander.unknownCommand') return `${help} lists the commands.`
  if (code === 'commander.invalidArgument') {
    const [, value = '', choices] =
      /' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(message) ?? []
    return choices === undefined ? undefined : didYouMean(value, choices.split(', '))
  }
  if (isUnknown && first.startsWith('-')) return 'Put flags after the command, as in kb check --cwd docs.'
  if (first === 'new' && code === 'commander.excessArguments')
    return 'Put the title in quotes: kb new "Reset your password".'
  const isTitle = isUnknown && /\s/.test(message.replace(/^error: unknown option /, ''))
  if (first === 'new' && isTitle)
    return 'Put -- before a title that starts with a hyphen: kb new -- "- and so on".'
  return `See ${help}.`
}

/** Returns the command in a command line, as far as its words name one: `kb admin keys add`. */
function commandOf(argv: readonly string[], program: Command): string {
  const names = [program.name()]
  let command = program
  for (const word of argv) {
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) continue
    command = next
    names.push(word)
  }
  return names.join(' ')
}
