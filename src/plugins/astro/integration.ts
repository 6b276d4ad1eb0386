import { fileURLToPath } from 'node:url'
import type { Adapter } from '../adapter/adapter.ts'
import { formatPlainly, type ContentFailure } from '../adapter/content-failure.ts'
import { createAdapter } from '../adapter/create-adapter.ts'
import { assertPluginOptions, type PluginOptions } from '../adapter/plugin-options.ts'
import type { AstroIntegration, AstroLogger, DevServer, SetupOptions } from './astro-types.ts'
import { astroError, toAstroError, contentError } from './content-error.ts'
import { createLiveFeed, type ContentCheck } from './live-feed.ts'
import {
  contentHook,
  isOffered,
  offerContent,
  type OfferedContent,
  placeOf,
  readOfferedContent,
  withdrawContent,
} from './offered-content.ts'
import { reportSyncEnd } from '../adapter/explain-sync.ts'

/**
 * The integration for Astro 5, also the default export. It checks the articles in a build, sends them after it if `sync`
 * is set, and shows problems on the pages in development. The loaders get their content from it.
 *
 * @throws KbError CONFIG_INVALID
 *
 * @example
 * ```js
 * import kb from 'kb-sync/astro'
 *
 * export default { integrations: [kb({ sync: 'build', links: { article: '/help/{id}/' } })] }
 * ```
 */
export function kb(options: PluginOptions = {}): AstroIntegration {
  assertPluginOptions('The Astro integration', options)
  const overlay = createProblemOverlay()
  let open: OfferedContent | undefined
  let key = ''
  const hook = contentHook(() => key)
  const close = async () => {
    open = undefined
    await withdrawContent(key)
  }
  return {
    name: 'kb-sync',
    hooks: {
      'astro:config:setup': async (setup) => {
        if (setup.command === 'preview') return
        open = openContent(options, setup, overlay)
        key = placeOf(setup.config, hook)
        // If a restarting server fails, it continues with the previous content.
        if (!setup.isRestart || !isOffered(key)) await offerContent(key, open)
        // Vite would run a linked kb-sync from its sources, as a second instance.
        const vite = { ssr: { external: ['kb-sync'] } }
        setup.updateConfig({ integrations: [sender(() => open, close)], vite })
      },
      'astro:server:setup': async ({ server }) => {
        if (open === undefined || !isSeen(server)) return
        await offerContent(key, open)
        overlay.attach(server)
        await inAstrosWords(open.feed.follow(server.watcher))
        await open.feed.check()
        open.feed.adapter.watch()
      },
      'astro:server:done': close,
      'astro:build:start': async () => {
        if (open !== undefined) await readOfferedContent(open)
      },
      ...hook,
    },
  }
}

function openContent(
  options: PluginOptions,
  { config, command, logger }: SetupOptions,
  overlay: ProblemOverlay,
): OfferedContent {
  const mode = command === 'dev' ? 'dev' : 'build'
  const adapter = createAdapter(options, {
    cwd: fileURLToPath(config.root),
    mode,
    env: process.env,
    info: (text) => logger.info(text),
    warn: (text) => logger.warn(text),
  })
  const feed = createLiveFeed(adapter, createCheckReporter(adapter, overlay, logger))
  return { feed, mode, config: options.config }
}

/** A separate integration, which Astro runs after all others of the site, and only if they succeed. */
function sender(open: () => OfferedContent | undefined, close: () => Promise<void>): AstroIntegration {
  return {
    name: 'kb-sync',
    hooks: {
      'astro:build:done': async ({ logger }) => {
        const feed = open()?.feed
        if (feed === undefined) return
        try {
          await reportSync(feed.adapter.sync(), logger)
        } finally {
          await close()
        }
      },
    },
  }
}

async function reportSync(
  ending: ReturnType<OfferedContent['feed']['adapter']['sync']>,
  logger: AstroLogger,
): Promise<void> {
  const failure = reportSyncEnd(await inAstrosWords(ending), (text) => logger.info(text))
  if (failure !== undefined) throw await astroError(`The site is built, but not synced. ${failure}`)
}

/** False for the server that Astro uses to read the collections' configuration. It watches nothing. */
function isSeen({ config: { server } }: DevServer): boolean {
  return server.ws !== false && server.watch !== null
}

async function inAstrosWords<Value>(value: Promise<Value>): Promise<Value> {
  try {
    return await value
  } catch (error) {
    throw await toAstroError(error)
  }
}

/** Reports problems of the files during development: on the pages, and once in the terminal. */
function createCheckReporter(
  adapter: Pick<Adapter, 'root' | 'failureOf'>,
  overlay: Pick<ProblemOverlay, 'show'>,
  logger: AstroLogger,
): (check: ContentCheck) => Promise<void> {
  let shown = ''

  function report(text: string, isError: boolean): void {
    if (text === shown) return
    if (text === '') logger.info('all problems are fixed')
    else if (isError) logger.error(text)
    else logger.warn(text)
    shown = text
  }

  return async (check) => {
    if (check.kind === 'failed') {
      const { message, hint } = await toAstroError(check.error)
      report(hint === undefined ? message : `${message}\n${hint}`, true)
      return overlay.show({ kind: 'world', error: check.error })
    }
    const { diagnostics } = check.reading.view
    const failure = adapter.failureOf(check.reading)
    report(formatPlainly(diagnostics, await adapter.root()), failure !== undefined)
    return overlay.show(failure === undefined ? undefined : { kind: 'content', failure })
  }
}

/** A problem of the content, or a failure to read it. */
type Problem =
  | { readonly kind: 'content'; readonly failure: ContentFailure }
  | { readonly kind: 'world'; readonly error: unknown }

/** Shows problems on the pages of a development server, in Astro's own overlay. */
type ProblemOverlay = ReturnType<typeof createProblemOverlay>

function createProblemOverlay() {
  const servers = new Set<DevServer>()
  let shown: Problem | undefined

  async function send(server: DevServer): Promise<void> {
    if (shown === undefined) return
    // A new object each time, since Astro changes it.
    const err =
      shown.kind === 'content' ? await contentError(shown.failure, 'page') : await toAstroError(shown.error)
    server.hot.send({ type: 'error', err })
  }

  return {
    attach: (server: DevServer) => {
      // A page that is loaded while there is a problem has missed the earlier message.
      server.ws.on('connection', () => void send(server))
      servers.add(server)
    },
    /** Undefined: the problem is fixed, and the pages reload. */
    show: async (problem: Problem | undefined) => {
      const wasShown = shown !== undefined
      shown = problem
      for (const server of servers) {
        // oxlint-disable-next-line no-await-in-loop -- there is one, except for a moment while Astro restarts
        if (problem !== undefined) await send(server)
        else if (wasShown) server.hot.send({ type: 'full-reload', path: '*' })
      }
    },
  }
}
