import { Command, type HelpConfiguration, type Option } from 'commander'
import type * as RunAdmin from '../commands/admin/run-admin.ts'
import type { AdminAnswer, AdminOptions, FileCall, StoreCall } from '../commands/admin/run-admin.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { rejectEmpty } from './read-flags.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `kb admin`: manages the server's database. Its options can precede or follow those of its commands. */
export function adminCommand(program: Command, terminal: Terminal): Command {
  const admin = new Command('admin')
    .copyInheritedSettings(program)
    .configureHelp(SHARED_OPTIONS_HELP)
    .description('manage sites, users, keys, languages, limits, categories, tags, links, backups and copies')
    .option(
      '--db <file|url>',
      'SQLite file or postgres:// URL (default: KB_DB, server.db, .kb/kb.db)',
      rejectEmpty,
    )
    .option('--site <name>', 'the site to manage (default: the site "default")')
    .option('--json', 'one JSON document on stdout')
    .option('-y, --yes', 'do not ask for confirmation before data is deleted')
    .option('--cwd <dir>', 'the project folder, or one in it (default: the current one)')
    .option('--config <file>', 'configuration file (default: kb.config.ts)')
    .option('-q, --quiet', 'print results only')
    .option('-v, --verbose', 'print every operation and warning')
  for (const { name, description, commands } of GROUPS) {
    const group = admin.command(name).description(description)
    for (const each of commands) addCommand(group, each, terminal)
  }
  for (const each of WHOLE_DATABASE) addCommand(admin, each, terminal)
  return admin
}

interface AdminCommand extends CommandOptions {
  /** Its name and arguments. */
  readonly usage: string
  readonly description: string
  readonly run: (command: Command, terminal: Terminal) => Promise<void>
}

interface CommandOptions {
  readonly options?: readonly Flag[]
  readonly required?: readonly Flag[]
  /** True if it creates a missing database. */
  readonly mayCreate?: boolean
}

type Flag = readonly [string, string]

function addCommand(group: Command, { usage, description, run, ...its }: AdminCommand, terminal: Terminal) {
  const command = group.command(usage).description(description)
  for (const flag of its.required ?? []) command.requiredOption(...flag)
  for (const flag of its.options ?? []) command.option(...flag)
  command.action(() => run(command, terminal))
}

/** Creates commands from exports of modules, each of which is loaded only when its command runs. */
function commandsOf<Work>(
  runnerOf: (admin: typeof RunAdmin) => typeof RunAdmin.runInStore | typeof RunAdmin.runOnFile,
) {
  return <Name extends string>(
    usage: string,
    description: string,
    load: () => Promise<Readonly<Record<Name, Work>>>,
    name: Name,
    its: CommandOptions = {},
  ): AdminCommand => ({
    usage,
    description,
    ...its,
    run: async (command, terminal) => {
      const work = (await load())[name]
      const run = runnerOf(await import('../commands/admin/run-admin.ts'))
      if (command.name() === 'update') assertChange(command)
      const options = command.optsWithGlobals<AdminOptions>()
      // `its` declares the options that the command reads.
      await run({ args: command.args, options, terminal, mayCreate: its.mayCreate === true }, work as never)
    },
  })
}

const inStore = commandsOf<(call: StoreCall<never>) => Promise<AdminAnswer>>((admin) => admin.runInStore)
/** Commands for the database file as a whole. */
const onFile = commandsOf<(call: FileCall<never>, db: string) => AdminAnswer | Promise<AdminAnswer>>(
  (admin) => admin.runOnFile,
)

function assertChange(command: Command): void {
  if (Object.keys(command.opts()).length > 0) return
  const flags = command.options.map(({ long }) => long).join(', ')
  throw new KbError('USAGE', 'No change was requested. Nothing was changed.', {
    hint: `Set what to change with ${flags}.`,
  })
}

/** Commands that ask for confirmation. */
const ASKING: ReadonlySet<string> = new Set(['remove', 'revoke', 'rotate', 'backup', 'restore'])

/** Commands for the whole database. */
const OF_ALL_SITES: ReadonlySet<string> = new Set(['sites', 'rotate', 'backup', 'restore', 'copy'])

/** Shows the options of `kb admin` in the help of each command that they apply to. */
const SHARED_OPTIONS_HELP: HelpConfiguration = {
  showGlobalOptions: true,
  visibleGlobalOptions: (command) => {
    const admin = lineOf(command).find((each) => each.name() === 'admin')
    if (admin === undefined || admin === command) return []
    return admin.options.filter((option) => appliesTo(command, option))
  },
}

function appliesTo(command: Command, { long }: Option): boolean {
  const names = lineOf(command).map((each) => each.name())
  if (long === '--db' && names.includes('copy')) return false
  if (long === '--site') return !names.some((name) => OF_ALL_SITES.has(name))
  if (long !== '--yes') return true
  return [...names, ...command.commands.map((each) => each.name())].some((name) => ASKING.has(name))
}

function lineOf(command: Command): Command[] {
  return command.parent === null ? [command] : [command, ...lineOf(command.parent)]
}

const sites = () => import('../commands/admin/sites.ts')
const users = () => import('../commands/admin/users.ts')
const keys = () => import('../commands/admin/keys.ts')
const links = () => import('../commands/admin/links.ts')
const backup = () => import('../commands/admin/backup.ts')

const USER_OPTIONS: readonly Flag[] = [
  ['--first-name <name>', 'first name'],
  ['--last-name <name>', 'last name'],
  ['--email <address>', 'e-mail address'],
]

const CATEGORY_OPTIONS: readonly Flag[] = [
  ['--parent <category>', 'parent: id, slug, name or path'],
  ['--priority <n>', 'position among its siblings'],
]

const GROUPS: readonly {
  readonly name: string
  readonly description: string
  readonly commands: readonly AdminCommand[]
}[] = [
  {
    name: 'sites',
    description: 'manage the knowledge bases in the database',
    commands: [
      inStore('list', 'list the sites', sites, 'listSites'),
      inStore('add <name>', 'add a site; creates the database if there is none', sites, 'addSite', {
        options: [
          [
            '--languages <codes>',
            'its languages, the default one first (default: the default language of the site "default")',
          ],
          ['--limit <n>', 'maximum number of articles (default: server.articleLimit)'],
        ],
        mayCreate: true,
      }),
      inStore('rename <old> <new>', 'rename a site', sites, 'renameSite'),
      inStore('remove <name>', 'remove a site with all its contents', sites, 'removeSite'),
    ],
  },
  {
    name: 'users',
    description: 'manage the owners of keys',
    commands: [
      inStore('list', 'list the users', users, 'listUsers'),
      inStore('add <username>', 'add a user', users, 'addUser', { options: USER_OPTIONS }),
      inStore('update <username>', 'change a user', users, 'updateUser', {
        options: [...USER_OPTIONS, ['--username <name>', 'another username']],
      }),
      inStore('remove <username>', 'remove a user and revoke the keys', users, 'removeUser'),
    ],
  },
  {
    name: 'keys',
    description: 'manage API keys',
    commands: [
      inStore('list', 'list the keys', keys, 'listKeys'),
      inStore('add', 'create a key and print it once', keys, 'addKey', {
        required: [['--user <username>', 'owner of the key (required)']],
        options: [
          ['--label <text>', 'purpose of the key'],
          ['--read-only', 'create a read-only key'],
          ['--expires <when>', 'expiry: a date, or a duration such as 90d'],
        ],
      }),
      inStore('revoke <id>', 'invalidate a key, whatever its site', keys, 'runRevokeKey'),
      onFile('rotate', 'replace the key of the server itself, even while it is running', keys, 'rotateKey', {
        mayCreate: true,
      }),
    ],
  },
  {
    name: 'languages',
    description: 'manage the enabled languages',
    commands: [
      inStore('list', 'list the languages', sites, 'listLanguages'),
      inStore('add <code>', 'enable a language', sites, 'addLanguage'),
      inStore('remove <code>', 'disable a language that no item uses', sites, 'removeLanguage'),
    ],
  },
  {
    name: 'limits',
    description: 'manage the maximum number of articles of a site',
    commands: [
      inStore('list', 'list the limits', sites, 'listLimits'),
      inStore(
        'set <limit>',
        'set the limit of a site: a number, or none for server.articleLimit',
        sites,
        'setLimit',
      ),
    ],
  },
  {
    name: 'categories',
    description: 'manage categories, by id, slug, name or path',
    commands: taxonCommands('categories', 'category', CATEGORY_OPTIONS),
  },
  {
    name: 'tags',
    description: 'manage tags, by id, slug or name',
    commands: taxonCommands('tags', 'tag', []),
  },
  {
    name: 'links',
    description: 'show the results of the link checker',
    commands: [
      inStore('list', 'list the broken links, with the reasons', links, 'listLinks', {
        options: [['--all', 'list every link']],
      }),
    ],
  },
]

const WHOLE_DATABASE: readonly AdminCommand[] = [
  onFile(
    'backup <file>',
    'write a backup of all sites, even while the server is running',
    backup,
    'runBackup',
  ),
  onFile(
    'restore <file>',
    'replace everything with a backup, even while the server is running',
    backup,
    'restoreBackup',
    { mayCreate: true },
  ),
  onFile(
    'copy',
    'copy everything into an empty database, such as from SQLite to PostgreSQL; continues an interrupted copy',
    backup,
    'runCopy',
    {
      required: [['--to <file|url>', 'SQLite file or postgres:// URL of the empty database (required)']],
      options: [['--from <file|url>', 'the database to copy (default: that of --db)']],
    },
  ),
]

/** @param ownOptions options that only this kind has */
function taxonCommands(kind: 'categories' | 'tags', noun: string, ownOptions: readonly Flag[]) {
  const options: readonly Flag[] = [
    ['--slug <slug>', 'slug'],
    ['--description <text>', 'plain description'],
    ...ownOptions,
  ]
  const load = async () => (await import('../commands/admin/taxonomy.ts')).TAXONOMY_COMMANDS[kind]
  return [
    inStore('list', `list the ${kind}`, load, 'list'),
    inStore('add <name>', `add a ${noun}`, load, 'add', { options }),
    inStore(`update <${noun}>`, `change a ${noun}`, load, 'update', {
      options: [...options, ['--name <name>', 'another name']],
    }),
    inStore(`remove <${noun}>`, `remove a ${noun}, including from its articles`, load, 'remove'),
  ]
}
