import { resolve } from 'node:path'
import type { Plugin, ViteDevServer } from 'vite'
import { createAdapter } from '../adapter/create-adapter.ts'
import type { PluginOptions } from '../adapter/plugin-options.ts'
import type { SharedSource } from './content-source.ts'
import { createDevPages } from './dev-pages.ts'
import { type DevSession, startDevSession } from './dev-session.ts'
import { createDevReporter } from './dev-reporter.ts'
import { configCandidates, findProject } from './find-project.ts'
import { isTestRunner } from './other-tools.ts'
import { viteHost } from './vite-host.ts'
import { vitePressOf } from './vitepress.ts'

/** Shows problems in Vite's overlay while the site is written, and what was saved right after. */
export function devPlugin(options: PluginOptions, shared: SharedSource): Plugin {
  return {
    name: 'kb-sync:dev',
    apply: 'serve',
    configureServer(server) {
      const session = openSession(server, options, shared)
      const close = server.close.bind(server)
      // A server that starts again is closed when the next one is there, with the same plugins perhaps: no hook of a
      // plugin says which of the two it is.
      server.close = async () => {
        await session.close()
        await close()
      }
    },
  }
}

function openSession(server: ViteDevServer, options: PluginOptions, shared: SharedSource): DevSession {
  const { config, watcher } = server
  const { logger } = config
  const project = findProject(config.root, options.config)
  const host = viteHost('dev', project.cwd, logger)
  // No one checks what is served for tests, or for a tool that only asks for a module.
  const isSeen = config.server.watch !== null && !isTestRunner(config)
  const adapter = createAdapter(
    { ...options, config: project.config, ...(isSeen ? {} : { sync: 'never' }) },
    host,
  )
  const teller = createDevReporter({
    failureOf: adapter.failureOf,
    pages: createDevPages(server),
    host: { ...host, error: (text) => logger.error(`[kb-sync] ${text}`, { timestamp: true }) },
    alwaysReloads: vitePressOf(config) === undefined,
  })
  const session = startDevSession({
    adapter,
    teller,
    configCandidates: configCandidates(project),
    watch: (paths) => void watcher.add([...paths]),
  })
  watcher.on('all', (_, file) => session.noticed(resolve(file)))
  watcher.once('ready', session.refresh)
  server.ws.on('connection', session.refresh)
  shared.current = { read: session.read, readBody: adapter.readBody }
  return session
}
