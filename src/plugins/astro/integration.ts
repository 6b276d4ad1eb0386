import { fileURLToPath } from 'node:url'
import { createAdapter } from '../adapter/create-adapter.ts'
import { assertPluginOptions, type PluginOptions } from '../adapter/plugin-options.ts'
import type { AstroIntegration, AstroLogger, DevServer, SetupOptions } from './astro-types.ts'
import { astroError, toAstroError } from './content-error.ts'
import { createLiveFeed } from './live-feed.ts'
import {
  contentHook,
  isOffered,
  offerContent,
  type OfferedContent,
  placeOf,
  withdrawContent,
} from './offered-content.ts'
import { createProblemOverlay, type ProblemOverlay } from './problem-overlay.ts'
import { readSound } from './read-sound.ts'
import { createLookReporter } from './report-look.ts'

/**
 * Astro integration: checks the content in a build and on request syncs it when the site stands; in development it shows
 * in the pages what is wrong with the files. The collections of the loaders get their content from here.
 *
 * @throws KbError CONFIG_INVALID
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
        // A server that starts anew may fail to: then it goes on with what it has.
        if (!setup.isRestart || !isOffered(key)) await offerContent(key, open)
        // A linked kb-sync would be run by Vite, from its sources: a second one beside this.
        const vite = { ssr: { external: ['kb-sync'] } }
        setup.updateConfig({ integrations: [sender(() => open, close)], vite })
      },
      'astro:server:setup': async ({ server }) => {
        if (open === undefined || !isSeen(server)) return
        await offerContent(key, open)
        overlay.attach(server)
        await inAstrosWords(open.feed.follow(server.watcher))
        await open.feed.look()
        open.feed.adapter.watch()
      },
      'astro:server:done': close,
      'astro:build:start': async () => {
        if (open !== undefined) await readSound(open)
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
  const feed = createLiveFeed(adapter, createLookReporter(adapter, overlay, logger))
  return { feed, mode, config: options.config }
}

/** An integration of its own: Astro runs it after all that the site has, and only if they have not failed. */
function sender(open: () => OfferedContent | undefined, close: () => Promise<void>): AstroIntegration {
  return {
    name: 'kb-sync',
    hooks: {
      'astro:build:done': async ({ logger }) => {
        const feed = open()?.feed
        if (feed === undefined) return
        try {
          await send(feed.adapter.sync(), logger)
        } finally {
          await close()
        }
      },
    },
  }
}

async function send(
  ending: ReturnType<OfferedContent['feed']['adapter']['sync']>,
  logger: AstroLogger,
): Promise<void> {
  const end = await inAstrosWords(ending)
  if (end.kind === 'failed') throw await astroError(`The site is built, but not synced. ${end.text}`)
  if (end.kind === 'synced') logger.info(end.text)
  else if (end.reason !== undefined) logger.info(`not synced: ${end.reason}`)
}

/** While Astro reads the configuration of the collections, it has a server that watches nothing and has no pages. */
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
