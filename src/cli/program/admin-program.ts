import { Command, type HelpConfiguration, type Option } from 'commander'
import type { AdminAnswer, AdminCall, AdminOptions, StoreCall } from '../commands/admin/run-admin.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { filled } from './read-flags.ts'
import type { Terminal } from '../terminal/terminal.ts'

type InStore = (call: StoreCall<never>) => Promise<AdminAnswer>
type OnFile = (call: AdminCall, db: string) => AdminAnswer | Promise<AdminAnswer>

/** `kb admin`: the server's database, from the command line. Its options go before or after those of its commands. */
export function adminCommand(program: Command, terminal: Terminal): Command {
  const admin = new Command('admin')
    .copyInheritedSettings(program)
    .configureHelp(SHARED_OPTIONS_HELP)
    .description('manage sites, users, keys, languages, limits, categories, tags, links and backups')
    .option('--db <file>', 'database file (default: server.db, .kb/kb.db)', filled)
    .option('--site <name>', 'the site to manage (default: the site "default")')
    .option('--json', 'one JSON document on stdout')
    .option('-y, --yes', 'do not ask for confirmation before data is deleted')
    .option('--cwd <dir>', 'the project folder (default: the current one)')
    .option('--config <file>', 'configuration file (default: kb.config.ts)')
    .option('-q, --quiet', 'print results only')
    .option('-v, --verbose', 'print every operation and warning')
  addSites(admin, terminal)
  addUsers(admin, terminal)
  addKeys(admin, terminal)
  addLanguages(admin, terminal)
  addLimits(admin, terminal)
  addTaxonomy(admin, terminal)
  addLinks(admin, terminal)
  addBackups(admin, terminal)
  return admin
}

function addSites(admin: Command, terminal: Terminal): void {
  const load = () => import('../commands/admin/sites.ts')
  const sites = admin.command('sites').description('manage the knowledge bases in the database')
  inStore(sites.command('list').description('list the sites'), terminal, async () => (await load()).listSites)
  inStore(
    sites
      .command('add <name>')
      .description('add a site; creates the database if there is none')
      .option(
        '--languages <codes>',
        'its languages, the default one first (default: the default language of the site "default")',
      )
      .option('--limit <n>', 'maximum number of articles (default: server.articleLimit)'),
    terminal,
    async () => (await load()).addSite,
    { mayCreate: true },
  )
  inStore(
    sites.command('rename <old> <new>').description('rename a site'),
    terminal,
    async () => (await load()).renameSite,
  )
  inStore(
    sites.command('remove <name>').description('remove a site with all its contents'),
    terminal,
    async () => (await load()).removeSite,
  )
}

function addUsers(admin: Command, terminal: Terminal): void {
  const load = () => import('../commands/admin/users.ts')
  const users = admin.command('users').description('manage the owners of keys')
  const named = (command: Command) =>
    command
      .option('--first-name <name>', 'first name')
      .option('--last-name <name>', 'last name')
      .option('--email <address>', 'e-mail address')
  inStore(users.command('list').description('list the users'), terminal, async () => (await load()).listUsers)
  inStore(
    named(users.command('add <username>').description('add a user')),
    terminal,
    async () => (await load()).addUser,
  )
  inStore(
    named(users.command('update <username>').description('change a user')).option(
      '--username <name>',
      'another username',
    ),
    terminal,
    async () => (await load()).updateUser,
  )
  inStore(
    users.command('remove <username>').description('remove a user and revoke the keys'),
    terminal,
    async () => (await load()).removeUser,
  )
}

function addKeys(admin: Command, terminal: Terminal): void {
  const load = () => import('../commands/admin/keys.ts')
  const keys = admin.command('keys').description('manage API keys')
  inStore(keys.command('list').description('list the keys'), terminal, async () => (await load()).listKeys)
  inStore(
    keys
      .command('add')
      .description('create a key and print it once')
      .requiredOption('--user <username>', 'owner of the key (required)')
      .option('--label <text>', 'purpose of the key')
      .option('--read-only', 'create a read-only key')
      .option('--expires <when>', 'expiry: a date, or a duration such as 90d'),
    terminal,
    async () => (await load()).addKey,
  )
  inStore(
    keys.command('revoke <id>').description('invalidate a key immediately, whatever its site'),
    terminal,
    async () => (await load()).runRevokeKey,
  )
  onFile(
    keys.command('rotate').description('replace the key of the server itself, even while it is running'),
    terminal,
    async () => (await load()).rotateKey,
    { mayCreate: true },
  )
}

function addLanguages(admin: Command, terminal: Terminal): void {
  const load = () => import('../commands/admin/sites.ts')
  const languages = admin.command('languages').description('manage the enabled languages')
  inStore(
    languages.command('list').description('list the languages'),
    terminal,
    async () => (await load()).listLanguages,
  )
  inStore(
    languages.command('add <code>').description('enable a language'),
    terminal,
    async () => (await load()).addLanguage,
  )
  inStore(
    languages.command('remove <code>').description('disable a language that no item uses'),
    terminal,
    async () => (await load()).removeLanguage,
  )
}

function addLimits(admin: Command, terminal: Terminal): void {
  const load = () => import('../commands/admin/sites.ts')
  const limits = admin.command('limits').description('manage the maximum number of articles of a site')
  inStore(
    limits.command('list').description('list the limits'),
    terminal,
    async () => (await load()).listLimits,
  )
  inStore(
    limits
      .command('set <limit>')
      .description('set the limit of a site: a number, or none for server.articleLimit'),
    terminal,
    async () => (await load()).setLimit,
  )
}

function addTaxonomy(admin: Command, terminal: Terminal): void {
  const load = () => import('../commands/admin/taxonomy.ts')
  const described = (command: Command) =>
    command.option('--slug <slug>', 'slug').option('--description <text>', 'plain description')
  const placed = (command: Command) =>
    described(command)
      .option('--parent <category>', 'parent: id, slug, name or path')
      .option('--priority <n>', 'position among its siblings')
  const categories = admin.command('categories').description('manage categories, by id, slug, name or path')
  const tags = admin.command('tags').description('manage tags, by id, slug or name')
  inStore(
    categories.command('list').description('list the categories'),
    terminal,
    async () => (await load()).listCategories,
  )
  inStore(
    placed(categories.command('add <name>').description('add a category')),
    terminal,
    async () => (await load()).addCategory,
  )
  inStore(
    placed(categories.command('update <category>').description('change a category')).option(
      '--name <name>',
      'another name',
    ),
    terminal,
    async () => (await load()).updateCategory,
  )
  inStore(
    categories.command('remove <category>').description('remove a category, including from its articles'),
    terminal,
    async () => (await load()).removeCategory,
  )
  inStore(tags.command('list').description('list the tags'), terminal, async () => (await load()).listTags)
  inStore(
    described(tags.command('add <name>').description('add a tag')),
    terminal,
    async () => (await load()).addTag,
  )
  inStore(
    described(tags.command('update <tag>').description('change a tag')).option(
      '--name <name>',
      'another name',
    ),
    terminal,
    async () => (await load()).updateTag,
  )
  inStore(
    tags.command('remove <tag>').description('remove a tag, including from its articles'),
    terminal,
    async () => (await load()).removeTag,
  )
}

function addLinks(admin: Command, terminal: Terminal): void {
  const load = () => import('../commands/admin/links.ts')
  const links = admin.command('links').description('show the results of the link checker')
  inStore(
    links
      .command('list')
      .description('list the broken links, with the reasons')
      .option('--all', 'list every link'),
    terminal,
    async () => (await load()).listLinks,
  )
}

function addBackups(admin: Command, terminal: Terminal): void {
  const load = () => import('../commands/admin/backup.ts')
  onFile(
    admin
      .command('backup <file>')
      .description('write a backup of all sites, even while the server is running'),
    terminal,
    async () => (await load()).runBackup,
  )
  onFile(
    admin
      .command('restore <file>')
      .description('replace everything with a backup, even while the server is running'),
    terminal,
    async () => (await load()).restoreBackup,
    { mayCreate: true },
  )
}

/** Commands that ask before they do something. */
const ASKING: ReadonlySet<string> = new Set(['remove', 'revoke', 'rotate', 'backup', 'restore'])

/** Commands that are about the whole database. */
const OF_ALL_SITES: ReadonlySet<string> = new Set(['sites', 'rotate', 'backup', 'restore'])

/** The options of `kb admin` stand in the help of each command that they mean something to. */
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
  if (long === '--site') return !names.some((name) => OF_ALL_SITES.has(name))
  if (long !== '--yes') return true
  return [...names, ...command.commands.map((each) => each.name())].some((name) => ASKING.has(name))
}

/** A command and those that it is part of. */
function lineOf(command: Command): Command[] {
  return command.parent === null ? [command] : [command, ...lineOf(command.parent)]
}

function assertChange(command: Command): void {
  if (Object.keys(command.opts()).length > 0) return
  const flags = command.options.map(({ long }) => long).join(', ')
  throw new KbError('USAGE', 'No change was requested. Nothing was changed.', {
    hint: `Set what to change with ${flags}.`,
  })
}

/** Every command's code is loaded only when it runs. */
function inStore(
  command: Command,
  terminal: Terminal,
  load: () => Promise<InStore>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): void {
  command.action(async () => {
    const [work, { runInStore }] = await Promise.all([load(), import('../commands/admin/run-admin.ts')])
    if (command.name() === 'update') assertChange(command)
    const options = command.optsWithGlobals<AdminOptions>()
    // The commander options above are those that `work` reads.
    await runInStore(
      command.args,
      options,
      terminal,
      work as (call: StoreCall) => Promise<AdminAnswer>,
      mayCreate,
    )
  })
}

function onFile(
  command: Command,
  terminal: Terminal,
  load: () => Promise<OnFile>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): void {
  command.action(async () => {
    const [work, { runOnFile }] = await Promise.all([load(), import('../commands/admin/run-admin.ts')])
    await runOnFile(command.args, command.optsWithGlobals<AdminOptions>(), terminal, work, mayCreate)
  })
}
