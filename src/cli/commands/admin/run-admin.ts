import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { KbError } from '../../../core/errors/kb-error.ts'
import { readEnvironment } from '../../../core/config/resolve-target.ts'
import type { Settings } from '../../../core/config/settings.ts'
import { isDatabaseUrl } from '../../../core/database-url.ts'
import { createKb } from '../../../kb/create-kb.ts'
import { articlePathOf } from '../../../kb/target/article-path.ts'
import { DEFAULT_SITE, openAdministration } from '../../../server/open-administration.ts'
import type { SiteOverview } from '../../../server/store/admin/site-admin.ts'
import type { AdminStore } from '../../../server/store/admin/open-admin-store.ts'
import { prepareWorkspace, workspaceOf } from '../../../sync/state/workspace.ts'
import type { CommonFlags } from '../run-on-project.ts'
import { confirm } from '../../terminal/confirm.ts'
import { createProgress, type RunProgress } from '../../terminal/progress.ts'
import { databaseOf } from '../../../kb/project.ts'
import { formatJson } from '../../text/format-json.ts'
import { printMessage } from '../../terminal/print-message.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Options of every `kb admin` command. */
export interface AdminOptions extends CommonFlags {
  readonly db?: string
  readonly site?: string
  readonly yes?: boolean
  /** The same as `db`, for commands with two databases. */
  readonly from?: string
}

/** The input of a `kb admin` command. `Options` are specific to the command. */
export interface AdminCall<Options = unknown> {
  readonly args: readonly string[]
  readonly options: AdminOptions & Options
  /** Current time, ISO 8601. */
  readonly now: string
  /** File with the server's own key. */
  readonly apiKeyFile: string
  /** Maximum length of a line. */
  readonly width: number
  /** Throws NOT_CONFIRMED if the answer is no, otherwise does nothing. */
  readonly confirm: (question: string) => Promise<void>
}

/** The input of a command on the database as a whole. */
export interface FileCall<Options = unknown> extends AdminCall<Options> {
  readonly progress: RunProgress
  /** Returns the database that another option names. Its folder is ignored by git. */
  readonly newDatabase: (named: string) => string
}

export interface StoreCall<Options = unknown> extends AdminCall<Options> {
  readonly admin: AdminStore
  /** The site from --site, or the default one. */
  readonly site: SiteOverview
  /** Limit for sites without their own. */
  readonly articleLimit: number
}

/** The result of a command, for programs and for people. */
export interface AdminAnswer {
  readonly document: object
  readonly text: string
  /** An additional message on stderr. */
  readonly note?: string
}

/** A command as it was typed. */
interface AdminRun {
  readonly args: readonly string[]
  readonly options: AdminOptions
  readonly terminal: Terminal
  /** True if it creates a missing database. */
  readonly mayCreate: boolean
}

/** Runs a command of `kb admin` on the database file as a whole. */
export async function runOnFile(
  run: AdminRun,
  work: (call: FileCall, db: string) => AdminAnswer | Promise<AdminAnswer>,
): Promise<void> {
  const { call, db } = await prepare(run)
  print(await work(call, db), run)
}

/** Runs a command of `kb admin` inside the database. */
export async function runInStore(
  run: AdminRun,
  work: (call: StoreCall) => Promise<AdminAnswer>,
): Promise<void> {
  const { call, db, settings } = await prepare(run)
  const { options, mayCreate } = run
  const { languages, articleLimit } = settings.server
  const articlePath = articlePathOf(settings)
  const admin = await openAdministration({ db, languages, articlePath, mayCreate, now: call.now })
  try {
    const site = await admin.sites.find(options.site ?? DEFAULT_SITE)
    print(await work({ ...call, admin, site, articleLimit }), run)
  } finally {
    await admin.close()
  }
}

async function prepare({ args, options, terminal, mayCreate }: AdminRun) {
  const cwd = resolve(options.cwd ?? '.')
  readEnvironment(process.env) // An unknown variable is an error; KB_DB is in the settings.
  const settings = await createKb({ cwd, config: options.config }).loadSettings()
  const call: FileCall = {
    args,
    options,
    now: new Date().toISOString(),
    apiKeyFile: workspaceOf(settings.root).apiKeyFile,
    width: process.stdout.isTTY ? terminal.columns : Number.POSITIVE_INFINITY,
    // Results go to stdout, everything else to stderr.
    confirm: async (question) => {
      if (options.yes !== true) await confirm(question, { input: process.stdin, output: process.stderr })
    },
    progress: createProgress(terminal, options.quiet === true || options.json === true),
    newDatabase: (named) => {
      const db = databaseOf(named, cwd, settings)
      prepareFolder(db, settings)
      return db
    },
  }
  const db = databaseOf(options.from ?? options.db, cwd, settings)
  if (mayCreate) prepareFolder(db, settings)
  else assertProject(db, settings)
  return { call, settings, db }
}

/** @throws KbError DATABASE_MISSING outside a project, where the usual advice does not help */
function assertProject(db: string, { root, configFile }: Settings): void {
  if (configFile !== undefined || isDatabaseUrl(db) || existsSync(db)) return
  throw new KbError(
    'DATABASE_MISSING',
    `There is no database ${db}, and neither ${root} nor a folder above has a kb.config.ts.`,
    {
      hint: 'To make it a project, run npx kb-sync init. To use another folder, run kb with --cwd DIR; to name a database, use --db FILE.',
    },
  )
}

/** Makes git ignore a new .kb folder, as every other command does. */
function prepareFolder(db: string, { root }: Settings): void {
  const workspace = workspaceOf(root)
  if (dirname(db) === workspace.folder) prepareWorkspace(workspace)
}

function print({ document, text, note }: AdminAnswer, { options, terminal }: AdminRun): void {
  terminal.out(options.json === true ? formatJson({ version: 1, ...document }) : text)
  if (note !== undefined && options.json !== true && options.quiet !== true) printMessage(terminal, note)
}
