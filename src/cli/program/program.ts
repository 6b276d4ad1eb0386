import { resolve } from 'node:path'
import { Command, type CommanderError, Option } from 'commander'
import { KbError } from '../../core/errors/kb-error.ts'
import { readProgramVersion } from '../../core/version.ts'
import { adminCommand } from './admin-program.ts'
import {
  assetsCommand,
  checkCommand,
  explainCommand,
  initCommand,
  moveCommand,
  newCommand,
} from './authoring-program.ts'
import { common, type SetExitCode } from './common-flags.ts'
import type { CommonOptions } from '../commands/common-options.ts'
import { parseFilled } from './parse-filled.ts'
import {
  collectValue,
  collectNetworks,
  parseAddress,
  parseCheckInterval,
  parseConcurrency,
  parseDeletes,
  parseDrain,
  parsePort,
  parseRateLimit,
} from './parse-options.ts'
import { reportCommand } from './report-program.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The command line. Every command's code is loaded only when it runs. */
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
  program.addCommand(initCommand(terminal, setExitCode))
  program.addCommand(newCommand(terminal, setExitCode))
  program.addCommand(moveCommand(terminal, setExitCode))
  program.addCommand(checkCommand(terminal, setExitCode))
  program.addCommand(explainCommand(terminal))
  program.addCommand(assetsCommand(terminal, setExitCode))
  program.addCommand(planCommand(terminal, setExitCode))
  program.addCommand(syncCommand(terminal, setExitCode))
  program.addCommand(watchCommand(terminal, setExitCode))
  program.addCommand(reportCommand(terminal, setExitCode))
  program.addCommand(pullCommand(terminal, setExitCode))
  program.addCommand(serveCommand(terminal))
  program.addCommand(adminCommand(program, terminal))
  program.addCommand(schemaCommand(terminal))
  program.addCommand(doctorCommand(terminal, setExitCode))
  program.addCommand(completionCommand(program, terminal))
  for (const command of program.commands) command.copyInheritedSettings(program)
  // Names alone leave the descriptions enough room in 80 columns.
  return program.configureHelp({ subcommandTerm: (command) => command.name() })
}

/** `kb sites` where `kb admin sites` is meant; undefined for any other failure. */
function explainAdminCommand(
  error: CommanderError,
  { args: [name = ''], commands }: Command,
): KbError | undefined {
  const admin = commands.find((command) => command.name() === 'admin')
  const isOfAdmin = admin?.commands.some((command) => command.name() === name) === true
  if (error.code !== 'commander.unknownCommand' || !isOfAdmin) return undefined
  return new KbError('USAGE', `unknown command '${name}'`, { hint: `Did you mean kb admin ${name}?` })
}

function targeted(command: Command): Command {
  return common(command)
    .argument('[paths...]', 'articles or folders this run is about (default: all)')
    .option('--target <name>', 'a target of the configuration, or builtin')
    .option('--prune', 'delete articles of ours that no file wants any more')
    .addOption(
      new Option('--on-conflict <how>', 'articles that were edited on the target').choices([
        'fail',
        'skip',
        'overwrite',
      ]),
    )
    .option('--adopt <slug>', 'take over an article that kb-sync did not create (repeatable)', collectValue)
    .option('--verify', 'read every article of ours, to find edits also where nothing is to be sent')
    .option('--max-deletes <n>', 'delete nothing if more would go: a number or a percentage', parseDeletes)
    .option('-y, --yes', 'go past the guards against deleting too much')
    .option('--diff', 'show how the article on the target and the file differ')
    .option('--concurrency <n>', 'requests at one time', parseConcurrency)
    .addOption(
      new Option('--format <format>', 'how to print the result').choices(['pretty', 'json', 'markdown']),
    )
    .option('--json', 'the same as --format json')
}

function planCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return targeted(new Command('plan'))
    .description('show what sync would do; write nothing to the target')
    .option('--out <file>', 'save the plan for kb sync --plan', parseFilled)
    .action(async (paths: string[], options: CommonOptions) => {
      const { runSyncCommand } = await import('../commands/sync.ts')
      setExitCode(await runSyncCommand(paths, { ...options, dryRun: true }, terminal))
    })
}

function syncCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return targeted(new Command('sync'))
    .description('make the target equal to the articles')
    .option('--plan <file>', 'do what kb plan --out has saved, or nothing if that has moved on', parseFilled)
    .option('--dry-run', 'the same as kb plan')
    .action(async (paths: string[], options: CommonOptions) => {
      const { runSyncCommand } = await import('../commands/sync.ts')
      setExitCode(await runSyncCommand(paths, options, terminal))
    })
}

function watchCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('watch'))
    .description('sync, then send every change as it is saved, and show the articles as pages')
    .option('--target <name>', 'a target of the configuration (default: KB_URL, else builtin)')
    .option('--prune', 'delete articles whose file is gone')
    .option('--host <host>', 'address of the pages (default: server.host, 127.0.0.1)', parseFilled)
    .option('--port <port>', 'port of the pages, 0 for a free one (default: server.port, 4400)', parsePort)
    .option('--no-pages', 'serve no pages')
    .option('--concurrency <n>', 'requests at one time', parseConcurrency)
    .option('--json', 'one JSON object per line on stdout')
    .action(async (options: CommonOptions) => {
      const { watchContent } = await import('../commands/watch.ts')
      setExitCode(await watchContent(options, terminal))
    })
}

function pullCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('pull'))
    .description('take edits and new articles of the target into the files; send nothing')
    .argument('[paths...]', 'articles or folders this run is about (default: all, and new articles)')
    .option('--target <name>', 'a target of the configuration, or builtin')
    .option('--dry-run', 'show what would be written, with the differences')
    .addOption(
      new Option('--on-conflict <how>', 'articles that were edited in the file and on the target').choices([
        'fail',
        'skip',
        'overwrite',
      ]),
    )
    .option('--edits-only', 'leave articles that exist only on the target alone')
    .option('--concurrency <n>', 'requests at one time', parseConcurrency)
    .option('--json', 'one JSON document on stdout')
    .action(async (paths: string[], options: CommonOptions) => {
      const { runPullCommand } = await import('../commands/pull.ts')
      setExitCode(await runPullCommand(paths, options, terminal))
    })
}

function serveCommand(terminal: Terminal): Command {
  return common(new Command('serve'))
    .description('run the built-in knowledge-base server')
    .option('--host <host>', 'address to listen on (default: server.host, 127.0.0.1)', parseFilled)
    .option('--port <port>', 'port to listen on, 0 for a free one (default: server.port, 4400)', parsePort)
    .option('--db <file>', 'database file (default: server.db, .kb/kb.db)', parseFilled)
    .option('--metrics <address>', 'serve metrics without key on [host:]port', parseAddress)
    .option('--rate-limit <n>', 'requests per minute of each key (default: no limit)', parseRateLimit)
    .option('--max-connections <n>', 'connections at one time (default: 1000)', parseRateLimit)
    .option(
      '--trusted-proxy <address>',
      'address or network of a proxy in front, which tells who is behind it; may be repeated',
      collectNetworks,
    )
    .option('--drain <duration>', 'how long it is not ready, and serves, before it stops', parseDrain)
    .addOption(
      new Option(
        '--log-level <level>',
        'what is logged to stderr (default: info; warn on a terminal)',
      ).choices(['silent', 'error', 'warn', 'info', 'debug']),
    )
    .option(
      '--check-links <every>',
      'how often links are checked: off, or a duration (default: 1d)',
      parseCheckInterval,
    )
    .option('--check-private-links', 'let link checks connect to private addresses')
    .option('--pages', 'show readers the published articles')
    .option('--json', 'print events as JSON')
    .action(async (options: CommonOptions) => {
      const { serve } = await import('../commands/serve.ts')
      await serve(options, terminal)
    })
}

function schemaCommand(terminal: Terminal): Command {
  return common(new Command('schema'))
    .description('print a JSON Schema, or the OpenAPI document of the service')
    .argument('<name>', 'frontmatter, categories, tags, config or openapi')
    .option('--json', 'accepted everywhere; a schema is JSON anyway')
    .action(async (name: string) => {
      const { printSchema } = await import('../commands/schema.ts')
      await printSchema(name, terminal)
    })
}

function doctorCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('doctor'))
    .description('look at configuration, files, connection and target, and say what to do')
    .option('--target <name>', 'a target of the configuration, or builtin')
    .option('--probe', 'try what the target does with a hidden draft, and remove it again')
    .option('--json', 'one JSON document on stdout')
    .action(async (options: CommonOptions) => {
      const { examine } = await import('../commands/doctor.ts')
      setExitCode(await examine(options, terminal))
    })
}

function completionCommand(program: Command, terminal: Terminal): Command {
  return common(new Command('completion'))
    .description('print the script with which a shell completes kb')
    .argument('<shell>', 'bash, zsh or fish')
    .argument('[words...]', 'what the script asks with: the command line so far')
    .option('--json', 'accepted everywhere; a script is no JSON')
    .action(async (shell: string, words: string[], options: CommonOptions) => {
      const { printCompletion } = await import('../commands/completion.ts')
      await printCompletion(shell, words, { program, cwd: resolve(options.cwd ?? '.') }, terminal)
    })
}
