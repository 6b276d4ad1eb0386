import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readEnvironment } from '../../config/resolve-target.ts'
import type { Settings } from '../../config/settings.ts'
import { KbError } from '../../errors/kb-error.ts'
import { loadSettings } from '../../index.ts'
import { loadOrCreateApiKey } from '../../server/api-key.ts'
import { listen } from '../../server/listen.ts'
import { openKnowledgeBase } from '../../server/open-knowledge-base.ts'
import type { LocalTaxonomy } from '../../model/taxonomy.ts'
import { prepareWorkspace, workspaceOf } from '../../state/workspace.ts'
import { readTaxonomy } from '../../sync/read-taxonomy.ts'
import { articlePathOf } from '../../target/article-path.ts'
import { toSeed } from '../../target/taxonomy-seed.ts'
import { printable } from '../../util/printable.ts'
import { readProgramVersion } from '../../util/version.ts'
import { formatDiagnostics } from '../format-diagnostics.ts'
import type { CommonOptions } from '../common-options.ts'
import type { Terminal } from '../terminal.ts'

export interface ServeOptions extends CommonOptions {
  readonly host?: string
  readonly port?: number
  readonly db?: string
}

/** `kb serve`: runs until it is asked to stop, then finishes what is in flight. */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const cwd = resolve(options.cwd ?? '.')
  const environment = readEnvironment(process.env)
  const settings = await loadSettings({ cwd, config: options.config })
  const db = databaseFile(options.db, cwd, settings)
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const seed = toSeed(await validTaxonomy(settings, terminal))
  const apiKey = environment.apiKey ?? announceKey(workspace.apiKeyFile, terminal)
  const { languages, articleLimit, host, port } = settings.server
  const version = readProgramVersion()
  const onError = (error: unknown) => {
    terminal.err(
      `unexpected error: ${printable(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
    )
  }
  const knowledgeBase = await openKnowledgeBase({
    db,
    languages,
    articleLimit,
    articlePath: articlePathOf(settings),
    seed,
    apiKey,
    version,
    onError,
  })
  const server = await listen(knowledgeBase, { host: options.host ?? host, port: options.port ?? port })
  // Whoever reads the line below may ask to stop at once.
  const stopped = stopSignal()
  terminal.out(
    options.json === true
      ? `${JSON.stringify({ event: 'listening', url: server.url })}\n`
      : `listening on ${server.url}\n`,
  )
  await stopped
  await server.close()
}

function databaseFile(db: string | undefined, cwd: string, settings: Settings): string {
  if (db === undefined) return settings.server.db
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(db)) return resolve(cwd, db)
  throw new KbError('USAGE', `--db takes a file, not an address: ${db.replace(/\/\/[^@/]*@/, '//…@')}`, {
    hint: 'The built-in server keeps its articles in a SQLite file.',
  })
}

/** What the taxonomy files list is created where it is missing; a server with half of it would mislead. */
async function validTaxonomy(settings: Settings, terminal: Terminal): Promise<LocalTaxonomy> {
  const { taxonomy, diagnostics } = existsSync(settings.contentRoot)
    ? await readTaxonomy(settings)
    : { taxonomy: { categories: undefined, tags: undefined }, diagnostics: [] }
  if (diagnostics.some(({ severity }) => severity === 'error')) {
    terminal.err(formatDiagnostics(diagnostics, { colors: terminal.errColors }))
    throw new KbError('CONTENT_UNREADABLE', 'The taxonomy files have errors; the server was not started.', {
      hint: 'Correct them; kb check shows the same.',
    })
  }
  return taxonomy
}

/** The key is shown once, when it is made, and only to a person: logs keep what they are given. */
function announceKey(file: string, terminal: Terminal): string {
  const { key, created } = loadOrCreateApiKey(file)
  if (created && process.stderr.isTTY) terminal.err(`A new API key was made and kept in ${file}:\n${key}\n`)
  else if (created) terminal.err(`A new API key was made and kept in ${file}\n`)
  return key
}

async function stopSignal(): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  await Promise.race([once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })])
  controller.abort()
}
