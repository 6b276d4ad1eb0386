import { resolve } from 'node:path'
import type { Plugin, ViteDevServer } from 'vite'
import { createAdapter } from '../adapter/create-adapter.ts'
import type { PluginOptions } from '../adapter/plugin-options.ts'
import type { SharedSource } from './content-source.ts'
import { createDevPages } from './dev-pages.ts'
import { type DevSession, startDevSession } from './dev-session.ts'
import { createDevReporter } from './dev-reporter.ts'
import { configCandidates, findProject, isTestRunner, viteHost, vitePressOf } from './vite-project.ts'

/** Shows problems in Vite's overlay during development, and changes right after they are saved. */
export function devPlugin(options: PluginOptions, shared: SharedSource): Plugin {
  return {
    name: 'kb-sync:dev',
    apply: 'serve',
    configureServer(server) {
      const session = openSession(server, options, shared)
      const close = server.close.bind(server)
      // A restarting server is closed after the next one exists, possibly with the same plugins. No plugin hook says
      // which of the two it is.
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
  // A server for tests, or for a tool that only loads a module, has no pages for authors.
  const isSeen = config.server.watch !== null && !isTestRunner(config)
  const adapter = createAdapter(
    { ...options, config: project.config, ...(isSeen ? {} : { sync: 'never' }) },
    host,
  )
  const reporter = createDevReporter({
    failureOf: adapter.failureOf,
    pages: createDevPages(server),
    host: { ...host, error: (text) => logger.error(`[kb-sync] ${text}`, { timestamp: true }) },
    alwaysReloads: vitePressOf(config) === undefined,
  })
  const session = startDevSession({
    adapter,
    reporter,
    configCandidates: configCandidates(project),
    watch: (paths) => void watcher.add([...paths]),
  })
  watcher.on('all', (_, file) => session.noticed(resolve(file)))
  watcher.once('ready', session.refresh)
  server.ws.on('connection', session.refresh)
  shared.current = { read: session.read, readBody: adapter.readBody }
  return session
}
