import { Command, type CommanderError, Option } from 'commander'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { readProgramVersion } from '../../core/version.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { adminCommand } from './admin-program.ts'
import { type CommandDefinition, COMMANDS } from './command-table.ts'
import { addFlags, filledArgument, readFlags } from './read-flags.ts'

type SetExitCode = (code: ExitCode) => void

/** Creates the command line. The code of a command is loaded only when it runs. */
export function createProgram(terminal: Terminal, setExitCode: SetExitCode): Command {
  const program: Command = new Command('kb')
    .description('Turns a folder of Markdown into a running knowledge base.')
    .version(readProgramVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showSuggestionAfterError(true)
    .exitOverride((error) => {
      throw explainAdminCommand(error, program) ?? error
    })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      // Reported once, by reportFailure.
      outputError: () => undefined,
    })
  for (const definition of COMMANDS) {
    program.addCommand(toCommand(definition, program, terminal, setExitCode))
    // In the order of the help.
    if (definition.name === 'serve') program.addCommand(adminCommand(program, terminal))
  }
  for (const command of program.commands) command.copyInheritedSettings(program)
  // Only names, so that the descriptions have enough space in 80 columns.
  return program.configureHelp({ subcommandTerm: (command) => command.name() })
}

function toCommand(
  definition: CommandDefinition,
  program: Command,
  terminal: Terminal,
  setExitCode: SetExitCode,
): Command {
  const { name, description, options = [], json = 'one JSON document on stdout', hides = [] } = definition
  const command = new Command(name).description(description)
  addSharedFlags(command, definition.quiet)
  for (const [term, text] of definition.arguments ?? [])
    command.argument(term, text, ...(term.startsWith('<') ? [filledArgument(term.slice(1, -1))] : []))
  addFlags(command, options)
  for (const [flags, text, choices, parse] of definition.flags ?? []) {
    const option = new Option(flags, text)
    if (choices !== undefined) option.choices(choices)
    if (parse !== undefined) option.argParser(parse)
    command.addOption(option)
  }
  for (const option of command.options) if (hides.includes(option.long ?? '')) option.hideHelp()
  return command.option('--json', json).action(async () => {
    const [run, given] = await Promise.all([definition.load(program), readFlags(options, command.opts())])
    setExitCode((await run(command.args, given as never, terminal)) ?? EXIT.done)
  })
}

function addSharedFlags(command: Command, quiet = 'print results only'): void {
  addFlags(command, ['createKb'])
  command.option('-q, --quiet', quiet)
  command.option('-v, --verbose', 'print every operation, warning and repeated problem')
}

/** Suggests `kb admin sites` for `kb sites`; undefined for any other failure. */
function explainAdminCommand(error: CommanderError, { args: [name = ''], commands }: Command) {
  const admin = commands.find((command) => command.name() === 'admin')
  const isOfAdmin = admin?.commands.some((command) => command.name() === name) === true
  if (error.code !== 'commander.unknownCommand' || !isOfAdmin) return undefined
  return new KbError('USAGE', `Unknown command "${name}".`, { hint: `Did you mean kb admin ${name}?` })
}

/**
 * Converts `admin help keys add` to `admin keys add --help`: commander's own help command reads only one word, and
 * prints the whole help for an unknown name.
 */
export function spellOutHelp(argv: readonly string[], { commands }: Command): readonly string[] {
  const at = argv[0] === 'admin' ? 1 : 0
  const words = argv.slice(at + 1)
  const [name] = words
  if (argv[at] !== 'help' || name === undefined) return argv
  const isKnown = at === 1 || commands.some((command) => command.name() === name)
  return [...argv.slice(0, at), ...words, ...(isKnown ? ['--help'] : [])]
}
