import { type Command, InvalidArgumentError } from 'commander'
import type { ExitCode } from '../../core/errors/exit-codes.ts'
import { OWNERS_SHOWN } from '../../web/report/report.ts'
import { CHECK_FORMATS } from '../diagnostics/check-formats.ts'
import { REPORT_FORMATS } from '../report/report-formats.ts'
import type { RunCommand } from '../commands/run-on-project.ts'
import type { OptionsName } from './flags.ts'
import { rejectEmpty } from './read-flags.ts'

/** A flag that exists only in the terminal: its syntax, its help, its values, and its parser. */
type TerminalFlag = readonly [
  flags: string,
  description: string,
  choices?: readonly string[] | undefined,
  parse?: (value: string) => unknown,
]

export interface CommandDefinition {
  readonly name: string
  readonly description: string
  readonly arguments?: readonly (readonly [term: string, description: string])[]
  /** The options of the library that become flags. */
  readonly options?: readonly OptionsName[]
  readonly flags?: readonly TerminalFlag[]
  /** The output of `--json`. */
  readonly json?: string
  /** What `--quiet` does. */
  readonly quiet?: string
  /** Shared flags that have no effect, by long name. Help omits them. */
  readonly hides?: readonly string[]
  /** Loads its code. `program` is the whole command line. */
  readonly load: (program: Command) => Promise<RunCommand<never, ExitCode | void>>
}

const RUN_PATHS = ['[paths...]', 'articles or folders to process (default: all)'] as const
const AS_FORMAT = 'the same as --format json'
const SYNC_FORMATS = ['pretty', 'json', 'markdown']

const EXTERNAL: readonly TerminalFlag[] = [
  ['--external', 'check links to other sites'],
  ['--check-private-links', 'with --external: also connect to private addresses'],
]

/** The commands of `kb`, except those of `kb admin`, in the order of the help. */
export const COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'init',
    description: 'set up a knowledge base in a folder: configuration, first article, CI workflow',
    arguments: [['[dir]', 'the folder (default: the current one)']],
    options: ['init'],
    hides: ['--config'],
    load: async () => (await import('../commands/init.ts')).runInit,
  },
  {
    name: 'new',
    description: 'write the file of a new article',
    quiet: 'print the path of the file only',
    arguments: [['<title>', 'its title, in quotes']],
    options: ['newArticle'],
    load: async () => (await import('../commands/new.ts')).runNew,
  },
  {
    name: 'mv',
    description: 'move an article, an image or a folder, and update every link to it',
    quiet: 'print failures only',
    arguments: [
      ['<old>', 'file or folder'],
      ['<new>', 'its new path, or a folder to move it into'],
    ],
    options: ['move'],
    load: async () => (await import('../commands/mv.ts')).runMove,
  },
  {
    name: 'check',
    description: 'find problems in the articles; send nothing',
    quiet: 'print errors only: no warnings, no summary',
    arguments: [['[paths...]', 'articles or folders to report on (default: all)']],
    options: ['check'],
    flags: [
      ['--format <format>', 'how to print problems', CHECK_FORMATS],
      ['--max <n>', 'show at most this number of problems; all count', undefined, parseMax],
      ...EXTERNAL,
    ],
    json: AS_FORMAT,
    load: async () => (await import('../commands/check.ts')).checkContent,
  },
  {
    name: 'explain',
    description: 'explain the code of a problem or error, and how to fix it',
    arguments: [['[code]', 'such as slug-invalid or TARGET_UNREACHABLE (default: list all)']],
    load: async () => (await import('../commands/explain.ts')).explain,
  },
  {
    name: 'assets',
    description: 'copy the images and files that articles use into a folder to be published',
    arguments: [['<folder>', 'the destination; existing files stay']],
    options: ['assets'],
    load: async () => (await import('../commands/assets.ts')).publishAssets,
  },
  {
    name: 'plan',
    description: 'show what sync would do; write nothing to the target',
    arguments: [RUN_PATHS],
    options: ['plan'],
    flags: [['--format <format>', 'how to print the result', SYNC_FORMATS]],
    json: AS_FORMAT,
    load: async () => (await import('../commands/sync.ts')).runPlanCommand,
  },
  {
    name: 'sync',
    description: 'send what has changed to the target',
    arguments: [RUN_PATHS],
    options: ['sync', 'savedPlan'],
    flags: [
      ['--dry-run', 'the same as kb plan'],
      ['--diff', 'with --dry-run: show how the article on the target and the file differ'],
      ['--format <format>', 'how to print the result', SYNC_FORMATS],
      [
        '--profile [file]',
        'show how long each stage takes, and write CPU profiles (default: .kb/sync.cpuprofile)',
        undefined,
        parseProfile,
      ],
    ],
    json: AS_FORMAT,
    load: async () => (await import('../commands/sync.ts')).runSyncCommand,
  },
  {
    name: 'watch',
    description: 'sync, then send every change when you save it, and show the articles as pages',
    options: ['watch'],
    json: 'one JSON object per line on stdout',
    load: async () => (await import('../commands/watch.ts')).watchContent,
  },
  {
    name: 'report',
    description: 'list articles due for review and broken links, and where to fix them',
    quiet: 'print only what is overdue, what is broken and exceeded limits',
    arguments: [['[paths...]', 'articles or folders to report on (default: all that is on the target)']],
    options: ['report'],
    flags: [
      [
        '--owners [what]',
        'show owners: their names, or with email also their e-mail addresses',
        OWNERS_SHOWN,
        parseOwners,
      ],
      ['--format <format>', 'how to print the report', REPORT_FORMATS],
      [
        '--out <file>',
        'write it to a file; without --format, the ending determines the format',
        undefined,
        rejectEmpty,
      ],
      ...EXTERNAL,
    ],
    json: AS_FORMAT,
    load: async () => (await import('../commands/report.ts')).reportOnTarget,
  },
  {
    name: 'pull',
    description: 'copy edits and new articles from the target into the files; send nothing',
    arguments: [['[paths...]', 'articles or folders to process (default: all, and new articles)']],
    options: ['pull'],
    load: async () => (await import('../commands/pull.ts')).runPullCommand,
  },
  {
    name: 'serve',
    description: 'run the built-in knowledge-base server',
    options: ['serve'],
    json: 'print events as JSON',
    load: async () => (await import('../commands/serve.ts')).runServe,
  },
  {
    name: 'schema',
    description: 'print a JSON Schema, or the OpenAPI document of the service',
    arguments: [
      ['[name]', 'frontmatter, categories, tags, config or openapi; prints these names by default'],
    ],
    json: 'print the names as JSON; a schema is always JSON',
    hides: ['--cwd', '--config'],
    load: async () => (await import('../commands/schema.ts')).printSchema,
  },
  {
    name: 'doctor',
    description: 'check configuration, files, connection and target, and explain how to fix problems',
    quiet: 'print errors and warnings only',
    options: ['doctor'],
    load: async () => (await import('../commands/doctor.ts')).runDoctorCommand,
  },
  {
    name: 'completion',
    description: 'print the completion script for a shell',
    arguments: [['<shell>', 'bash, zsh or fish']],
    json: 'no effect: the output is a script',
    hides: ['--cwd', '--config'],
    load: async (program) => (await import('../commands/completion.ts')).completionOf(program),
  },
]

function parseMax(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999999.')
}

/** The path of an article after the flag would be overwritten. */
function parseProfile(value: string): string {
  if (/.\.cpuprofile$/.test(value)) return value
  throw new InvalidArgumentError('It must end in .cpuprofile; put paths before --profile.')
}

function parseOwners(value: string): string {
  const known = OWNERS_SHOWN.find((each) => each === value)
  if (known !== undefined) return known
  throw new InvalidArgumentError('It must be names or email; put paths before --owners.')
}
