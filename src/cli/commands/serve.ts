import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { readEnvironment } from '../../core/config/resolve-target.ts'
import type { Settings } from '../../core/config/settings.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ServeOptions } from '../../kb/options.ts'
import { createKb } from '../../kb/create-kb.ts'
import { isGuessable, loadOrCreateApiKey, SHORTEST_KEY, watchApiKey } from '../../server/api-key.ts'
import { type BindAddress, isLoopbackHost } from '../../server/http/bind.ts'
import type { RefusedConnection } from '../../server/http/answer-raw.ts'
import { listen } from '../../server/http/listen.ts'
import { createLog, createStderrDestination } from '../../server/observe/create-log.ts'
import { createMetrics, type ServerMetrics } from '../../server/observe/create-metrics.ts'
import { listenForMetrics } from '../../server/observe/listen-metrics.ts'
import type { ServerLog } from '../../server/observe/server-log.ts'
import { type KnowledgeBase, openKnowledgeBase } from '../../server/open-knowledge-base.ts'
import type { PagesSettings } from '../../server/pages/create-server-pages.ts'
import { createRateLimit } from '../../server/http/rate-limit.ts'
import { MIGRATIONS } from '../../server/store/sqlite/migrations.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import { pageAddressesOf } from '../../web/pages/page-addresses-of.ts'
import { prepareWorkspace, workspaceOf } from '../../sync/state/workspace.ts'
import { readTaxonomy } from '../../sync/read-taxonomy.ts'
import { articlePathOf } from '../../kb/target/article-path.ts'
import { toSeed } from '../../kb/target/taxonomy-seed.ts'
import { readProgramVersion } from '../../core/version.ts'
import { databaseFile } from './database-file.ts'
import { printDiagnostics } from '../diagnostics/print-diagnostics.ts'
import type { CommonFlags } from './run-on-project.ts'
import type { Terminal } from '../terminal/terminal.ts'

type ServeFlags = CommonFlags & ServeOptions

const LINK_CHECK_INTERVAL_MS = 86_400_000

/** `kb serve`: runs until it is asked to stop, then finishes what is in flight. */
export async function serve(
  _args: readonly string[],
  options: ServeFlags,
  terminal: Terminal,
): Promise<void> {
  const cwd = resolve(options.cwd ?? '.')
  const environment = readEnvironment(process.env)
  const settings = await createKb({ cwd, config: options.config }).loadSettings()
  const db = databaseFile(options.db, cwd, settings)
  const address = { host: options.host ?? settings.server.host, port: options.port ?? settings.server.port }
  assertPortsDiffer(address, options.metrics)
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const seed = toSeed(await validTaxonomy(settings, terminal))
  const { languages, articleLimit, bodyLimitBytes } = settings.server
  const version = readProgramVersion()
  const destination = createStderrDestination()
  const log = createLog(options.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info'), destination.stream)
  const metrics = createMetrics({ version, db })
  try {
    const knowledgeBase = await openKnowledgeBase({
      db,
      languages,
      articleLimit,
      articlePath: articlePathOf(settings),
      seed,
      apiKey: environment.apiKey ?? watchApiKey(workspace.apiKeyFile),
      version,
      bodyLimitBytes,
      rateLimit: options.rateLimit === undefined ? undefined : createRateLimit(options.rateLimit),
      trustedProxies: options.trustedProxy,
      log,
      metrics,
      linkChecks: linkChecksOf(options),
      pages: options.pages === true ? pagesOf(settings) : undefined,
    })
    log.write('info', 'opened', { version, db: basename(db), schemaVersion: MIGRATIONS.length })
    // A key is made after the database: see what an empty one beside a key means in open-sqlite.ts.
    const announce = () => {
      const apiKey = environment.apiKey ?? announceKey(workspace.apiKeyFile, terminal, log)
      const warn = createWarn(terminal, log)
      if (isGuessable(apiKey)) warn(SHORT_KEY)
      if (!isLoopbackHost(address.host) && options.trustedProxy === undefined) warn(noTls(address))
    }
    await serveUntilStopped({ knowledgeBase, address, announce, metrics, log }, options, terminal)
  } finally {
    await destination.close()
  }
}

function linkChecksOf({ checkLinks = LINK_CHECK_INTERVAL_MS, checkPrivateLinks }: ServeFlags) {
  if (checkLinks === 'off') return undefined
  return { intervalMs: checkLinks, allowPrivateAddresses: checkPrivateLinks }
}

function pagesOf(settings: Settings): PagesSettings {
  const { pages, report } = settings
  return { name: pages.name, addresses: pageAddressesOf(settings), dueWithinDays: report.dueWithinDays }
}

interface Served {
  readonly knowledgeBase: KnowledgeBase
  readonly address: BindAddress
  /** Makes the server's key where there is none, and tells what should be known before it takes requests. */
  readonly announce: () => void
  readonly metrics: ServerMetrics
  readonly log: ServerLog
}

async function serveUntilStopped(
  { knowledgeBase, address, announce, metrics, log }: Served,
  options: ServeFlags,
  terminal: Terminal,
): Promise<void> {
  const closers = [() => knowledgeBase.close()]
  try {
    announce()
    const collected =
      options.metrics && (await listenForMetrics(metrics, { ...options.metrics, portFlag: '--metrics' }))
    if (collected) closers.unshift(collected.close)
    const onRefused = (refused: RefusedConnection) => log.write('info', 'refused', { ...refused })
    const server = await listen(knowledgeBase, {
      ...address,
      onRefused,
      mostConnections: options.maxConnections,
      drainMs: options.drain,
    })
    closers.unshift(() => server.close())
    // Whoever reads the line below may ask to stop at once.
    const stopped = stopSignal()
    const pages = options.pages === true ? `${server.url}/` : undefined
    log.write('info', 'listening', {
      url: server.url,
      ...(pages && { pages }),
      ...(collected && { metrics: collected.url }),
    })
    terminal.out(
      options.json === true
        ? `${JSON.stringify({ event: 'listening', url: server.url, pages, metrics: collected?.url })}\n`
        : `listening on ${server.url}\n`,
    )
    if (pages !== undefined && options.json !== true) terminal.out(`pages on ${pages}\n`)
    // In a pipe, stderr is the log, and has it.
    if (collected && process.stderr.isTTY) terminal.err(`metrics on ${collected.url}\n`)
    log.write('info', 'stopping', { signal: await stopped, ...(options.drain && { drainMs: options.drain }) })
  } finally {
    for (const close of closers) await close()
  }
  log.write('info', 'stopped')
}

/** What the taxonomy files list is created where it is missing; a server with half of it would mislead. */
async function validTaxonomy(settings: Settings, terminal: Terminal): Promise<LocalTaxonomy> {
  const { taxonomy, diagnostics } = existsSync(settings.contentRoot)
    ? await readTaxonomy(settings)
    : { taxonomy: { categories: undefined, tags: undefined }, diagnostics: [] }
  if (diagnostics.some(({ severity }) => severity === 'error')) {
    const { err: out, errColors: colors, columns } = terminal
    await printDiagnostics(diagnostics, settings.root, { out, colors, columns })
    throw new KbError(
      'CONTENT_UNREADABLE',
      'The taxonomy files have errors, so the server was not started.',
      { hint: 'Fix them; kb check shows them too.' },
    )
  }
  return taxonomy
}

const SHORT_KEY = `The API key has fewer than ${SHORTEST_KEY} characters, so it is easy to guess. Use a random one, such as: openssl rand -hex 32`

function noTls({ host }: BindAddress): string {
  return `The server speaks plain HTTP on ${host}: without a TLS proxy in front, anyone on the network path can read keys and articles. Listen on 127.0.0.1 behind a proxy, or name the proxy with --trusted-proxy.`
}

/** What the operator should know at the start: to a person as text, else in the log. */
function createWarn(terminal: Terminal, log: ServerLog): (message: string) => void {
  return (message) =>
    process.stderr.isTTY ? terminal.err(`warning: ${message}\n`) : log.write('warn', message)
}

/** The key is shown once, when it is made, and only to a person: logs keep what they are given. */
function announceKey(file: string, terminal: Terminal, log: ServerLog): string {
  const { key, created } = loadOrCreateApiKey(file)
  if (created && process.stderr.isTTY)
    terminal.err(`A new API key was created and stored in ${file}:\n${key}\n`)
  else if (created) log.write('info', 'an API key was created', { file })
  return key
}

/** The first signal; a second one finds nobody who listens, and ends the process. */
async function stopSignal(): Promise<NodeJS.Signals> {
  const controller = new AbortController()
  const { signal } = controller
  const wait = (name: NodeJS.Signals) => once(process, name, { signal }).then(() => name)
  // SIGHUP comes when the terminal goes.
  const first = await Promise.race([wait('SIGINT'), wait('SIGTERM'), wait('SIGHUP')])
  controller.abort()
  return first
}

const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** @throws KbError USAGE where the service and its metrics would listen on the same address */
export function assertPortsDiffer(service: BindAddress, metrics: BindAddress | undefined): void {
  if (metrics === undefined || service.port === 0 || service.port !== metrics.port) return
  const hosts = [service, metrics].map(({ host }) => (host === 'localhost' ? '127.0.0.1' : host))
  if (hosts[0] !== hosts[1] && !hosts.some((host) => ALL_ADDRESSES.has(host))) return
  throw new KbError('USAGE', `The service and its metrics cannot both listen on port ${service.port}.`, {
    hint: 'Use different ports for --metrics and --port.',
  })
}
