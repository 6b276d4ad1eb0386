import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { loadRenderer } from '../content/pipeline/create-compiler.ts'
import { toDiagnostics } from '../content/pipeline/make-diagnostics.ts'
import { resolveParser } from '../content/parser/resolve-parser.ts'
import { createAssetReader } from '../content/assets/create-asset-reader.ts'
import { createFindExactly } from '../content/assets/find-assets.ts'
import { joinSource, splitAddress } from '../content/source/link-address.ts'
import { draftTaxonomy, finishTaxonomy } from '../content/taxonomy/load-taxonomy.ts'
import { readEnvironment } from '../core/config/resolve-target.ts'
import type { PageSettings, Settings } from '../core/config/settings.ts'
import { describeDatabase, isDatabaseUrl } from '../core/database-url.ts'
import { KbError } from '../core/errors/kb-error.ts'
import type { Diagnostic } from '../core/model/diagnostic.ts'
import type { LocalTaxonomy } from '../core/model/taxonomy.ts'
import { readProgramVersion } from '../core/version.ts'
import { isEveryAddress } from '../core/listening-url.ts'
import { isGuessable, loadOrCreateApiKey, SHORTEST_KEY, watchApiKey } from '../server/api-key.ts'
import type { BindAddress } from '../core/net/bind.ts'
import { isLoopbackHost } from '../core/loopback.ts'
import { listen } from '../server/http/listen.ts'
import { createMetrics, type ServerMetrics } from '../server/observe/create-metrics.ts'
import { listenForMetrics } from '../server/observe/listen-metrics.ts'
import type { ServerLog } from '../server/observe/server-log.ts'
import { type KnowledgeBase, openKnowledgeBase } from '../server/open-knowledge-base.ts'
import type { PagesSettings } from '../server/pages/create-server-pages.ts'
import { contentOptions } from '../content/pipeline/content-options.ts'
import { findContent } from '../sync/open-content.ts'
import { noteServing } from '../sync/state/lock.ts'
import { prepareWorkspace, workspaceOf } from '../sync/state/workspace.ts'
import { loadBrand } from '../web/pages/brand/load-brand.ts'
import { pageAddressesOf } from '../web/pages/page-addresses-of.ts'
import type { ServeOptions } from './options.ts'
import { databaseOf, type Project } from './project.ts'
import { articlePathOf } from './target/article-path.ts'
import { toSeed } from './target/taxonomy-seed.ts'

export type ServeEvent =
  /** The database is about to be opened. Without a configuration, `folder` is set, and the defaults apply in it. */
  | { readonly kind: 'opening'; readonly db: string; readonly folder: string | undefined }
  /** An API key was created, because there was none. `file` contains it. */
  | { readonly kind: 'key-created'; readonly file: string; readonly key: string }
  | { readonly kind: 'warning'; readonly message: string }
  /** The taxonomy files have errors, so nothing is served. */
  | { readonly kind: 'invalid-taxonomy'; readonly root: string; readonly diagnostics: readonly Diagnostic[] }
  /** The server is ready. `pages` and `metrics` are their URLs, if served. */
  | {
      readonly kind: 'listening'
      readonly url: string
      readonly pages: string | undefined
      readonly metrics: string | undefined
    }

interface ServeContext {
  /** Stops the server. The reason is the name of the operating system's signal. */
  readonly signal: AbortSignal
  readonly log: ServerLog
  readonly onEvent: (event: ServeEvent) => void | Promise<void>
}

const LINK_CHECK_INTERVAL_MS = 86_400_000

/** Runs `kb serve` until it is stopped, then completes requests in progress. */
export async function serve(project: Project, options: ServeOptions, context: ServeContext): Promise<void> {
  const environment = readEnvironment(project.env)
  const settings = await project.loadSettings()
  const db = databaseOf(options.db, project.cwd, settings)
  const address = { host: options.host ?? settings.server.host, port: options.port ?? settings.server.port }
  assertPortsDiffer(address, options.metrics)
  const pages = options.pages === true ? pagesOf(settings, settings.pages, 'pages') : undefined
  const password = environment.pagesPassword ?? settings.pages.password
  const otherPages = new Map(
    pages &&
      [...settings.otherPages].map(([name, own]) => [name, pagesOf(settings, own, `pages.sites.${name}`)]),
  )
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const seed = toSeed(await validTaxonomy(settings, context))
  await context.onEvent({
    kind: 'opening',
    db: describeDatabase(db),
    folder: settings.configFile === undefined ? settings.root : undefined,
  })
  const { languages, articleLimit, bodyLimitBytes, files } = settings.server
  const version = readProgramVersion()
  const { log } = context
  const metrics = createMetrics({ version, db: isDatabaseUrl(db) ? undefined : db })
  for (const message of [pages, ...otherPages.values()].flatMap((each) => each?.brand?.warnings ?? []))
    await context.onEvent({ kind: 'warning', message })
  const knowledgeBase = await openKnowledgeBase({
    db,
    languages,
    articleLimit,
    articlePath: articlePathOf(settings),
    seed,
    apiKey: environment.apiKey ?? watchApiKey(workspace.apiKeyFile),
    version,
    bodyLimitBytes,
    files,
    rateLimit: options.rateLimit,
    trustedProxies: options.trustedProxy,
    log,
    metrics,
    linkChecks: linkChecksOf(options),
    ...(pages !== undefined && { pages: { ...pages, password }, otherPages }),
  })
  const { schemaVersion } = knowledgeBase.store
  log.write('info', 'opened', { version, db: nameForLog(db), schemaVersion })
  // The key is created after the database: open-sqlite.ts explains what an empty database beside a key means.
  const announce = async () => {
    const apiKey = environment.apiKey ?? (await announceKey(workspace.apiKeyFile, context))
    if (isGuessable(apiKey)) await context.onEvent({ kind: 'warning', message: SHORT_KEY })
    if (!isLoopbackHost(address.host) && options.trustedProxy === undefined)
      await context.onEvent({ kind: 'warning', message: noTls(address) })
  }
  const note = (url: string) => noteServing(workspace.servingFile, { url, db }, new Date())
  await serveUntilStopped({ knowledgeBase, address, announce, note, metrics }, options, context)
}

/** Names the database without the folder of a file or the password of a URL. */
function nameForLog(db: string): string {
  return isDatabaseUrl(db) ? describeDatabase(db) : basename(db)
}

function linkChecksOf({ checkLinks = LINK_CHECK_INTERVAL_MS, checkPrivateLinks }: ServeOptions) {
  if (checkLinks === 'off') return undefined
  return { intervalMs: checkLinks, allowPrivateAddresses: checkPrivateLinks }
}

/**
 * @param field where the configuration has these pages, for messages
 * @throws KbError CONFIG_INVALID for a file that the pages need and that cannot be used
 */
function pagesOf(settings: Settings, pages: PageSettings, field: string): PagesSettings {
  const { name, signIn, password } = pages
  const addresses = pageAddressesOf(settings, pages)
  const brand = loadBrand({ root: settings.root, brand: pages.brand, field })
  return { name, signIn, password, addresses, brand, dueWithinDays: settings.report.dueWithinDays }
}

interface Served {
  readonly knowledgeBase: KnowledgeBase
  readonly address: BindAddress
  /** Creates the server's key if there is none, and reports what is known before the server accepts requests. */
  readonly announce: () => Promise<void>
  /** Tells other commands where the pages are, until the returned function is called. */
  readonly note: (pages: string) => () => void
  readonly metrics: ServerMetrics
}

async function serveUntilStopped(
  { knowledgeBase, address, announce, note, metrics }: Served,
  options: ServeOptions,
  { signal, log, onEvent }: ServeContext,
): Promise<void> {
  const closers: (() => Promise<unknown> | void)[] = [() => knowledgeBase.close()]
  try {
    await announce()
    const collected =
      options.metrics && (await listenForMetrics(metrics, { ...options.metrics, portFlag: '--metrics' }))
    if (collected) closers.unshift(collected.close)
    const server = await listen(knowledgeBase, {
      ...address,
      onRefused: (refused) => log.write('info', 'refused', { ...refused }),
      mostConnections: options.maxConnections,
      drainMs: options.drain,
    })
    closers.unshift(() => server.close())
    const pages = options.pages === true ? `${server.url}/` : undefined
    if (pages !== undefined) closers.unshift(note(pages))
    log.write('info', 'listening', {
      url: server.url,
      ...(pages && { pages }),
      ...(collected && { metrics: collected.url }),
    })
    await onEvent({ kind: 'listening', url: server.url, pages, metrics: collected?.url })
    const reason = await abortOf(signal)
    log.write('info', 'stopping', { signal: reason, ...(options.drain && { drainMs: options.drain }) })
  } finally {
    for (const close of closers) await close()
  }
  log.write('info', 'stopped')
}

/** Resolves to the abort reason of `signal`. */
async function abortOf(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason
}

/**
 * Reads the taxonomy files, whose missing entries are created. Invalid files prevent the start, because half a taxonomy
 * would mislead.
 */
async function validTaxonomy(settings: Settings, { onEvent }: ServeContext): Promise<LocalTaxonomy> {
  const { root, contentRoot } = settings
  if (!existsSync(contentRoot)) return { categories: undefined, tags: undefined }
  const { taxonomy, diagnostics } = await readTaxonomy(settings)
  if (diagnostics.every(({ severity }) => severity !== 'error')) return taxonomy
  await onEvent({ kind: 'invalid-taxonomy', root, diagnostics })
  throw new KbError('TAXONOMY_INVALID', 'The taxonomy files have errors, so the server was not started.', {
    hint: 'Fix them; kb check shows them too.',
  })
}

async function readTaxonomy(settings: Settings) {
  const options = contentOptions(settings)
  const render = await loadRenderer(options.markdown, await resolveParser(options.markdown))
  const draft = draftTaxonomy(options, await findContent(settings), render)
  const { contentRoot, assets } = settings
  const images = createAssetReader(contentRoot, createFindExactly(contentRoot), {
    ...assets,
    storage: 'absent',
  })
  // Links in descriptions need the articles. The next sync resolves them.
  const { taxonomy } = finishTaxonomy(draft, ({ kind, url }, { source }) => {
    const image =
      kind === 'picture' ? images.read(joinSource(source, splitAddress(url).path) ?? '', kind) : undefined
    return { link: { kind: 'url', url }, url: image?.kind === 'problem' ? undefined : (image?.url ?? url) }
  })
  return { taxonomy, diagnostics: draft.problems.flatMap(toDiagnostics(options)) }
}

const SHORT_KEY = `The API key has fewer than ${SHORTEST_KEY} characters, so it is easy to guess. Use a random one, such as: openssl rand -hex 32`

function noTls({ host }: BindAddress): string {
  return `The server speaks plain HTTP on ${host}: without a TLS proxy in front, anyone on the network path can read keys and articles. Listen on 127.0.0.1 behind a proxy, or name the proxy with --trusted-proxy.`
}

async function announceKey(file: string, { onEvent }: Pick<ServeContext, 'onEvent'>): Promise<string> {
  const { key, created } = loadOrCreateApiKey(file)
  if (created) await onEvent({ kind: 'key-created', file, key })
  return key
}

/** @throws KbError USAGE if the service and its metrics would listen on the same port */
export function assertPortsDiffer(service: BindAddress, metrics: BindAddress | undefined): void {
  if (metrics === undefined || service.port === 0 || service.port !== metrics.port) return
  const hosts = [service, metrics].map(({ host }) => (host === 'localhost' ? '127.0.0.1' : host))
  if (hosts[0] !== hosts[1] && !hosts.some(isEveryAddress)) return
  throw new KbError('USAGE', `The service and its metrics cannot both listen on port ${service.port}.`, {
    hint: 'Use different ports for --metrics and --port.',
  })
}
