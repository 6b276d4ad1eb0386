// Docusaurus makes its plugins again for every locale of a build, and after every edit of its configuration while the
// development server runs. What may happen only once in a process, and goes on across that, is kept here.
import type { Adapter } from '../adapter/adapter.ts'
import type { ToolLogger } from './tool-logger.ts'

interface SharedBuild {
  readonly adapter: Adapter
  /** The pages of a locale were written. */
  readonly finish: (locale: string) => void
}

export interface SharedAdapters {
  /** One adapter for all locales of a build. */
  readonly joinBuild: (key: string, locale: string, create: () => Adapter, log: ToolLogger) => SharedBuild
  /** The adapter of a development server in place of the one before; it goes on watching if that did. */
  readonly replaceServer: (key: string, create: () => Adapter) => Promise<SharedServer>
}

interface SharedServer {
  readonly adapter: Adapter
  readonly watch: () => void
}

interface BuildProcess {
  exitCode?: number | string | null | undefined
  on(event: 'beforeExit', listener: () => void): unknown
}

interface Build {
  readonly adapter: Adapter
  readonly begun: Set<string>
  readonly finished: Set<string>
  readonly log: ToolLogger
  isOver: boolean
}

export function createSharedAdapters(process: BuildProcess): SharedAdapters {
  const builds = new Map<string, Build>()
  const servers = new Map<string, { readonly adapter: Adapter; isWatching: boolean }>()

  // Docusaurus still looks for broken links when the plugins are done with the last locale. A build that fails anywhere
  // ends the process at once; only one that went well lets it run out of work.
  function onIdle(): void {
    for (const build of builds.values()) {
      if (build.isOver) continue
      build.isOver = true
      void endBuild(build, process)
    }
  }

  return {
    joinBuild: (key, locale, create, log) => {
      if (builds.size === 0) process.on('beforeExit', onIdle)
      let build = builds.get(key)
      if (build === undefined) {
        build = { adapter: create(), begun: new Set(), finished: new Set(), log, isOver: false }
        builds.set(key, build)
      } else if (build.begun.has(locale)) {
        // The same locale again is another build.
        build.adapter.renew()
        build.begun.clear()
        build.finished.clear()
        build.isOver = false
      }
      const { adapter, begun, finished } = build
      begun.add(locale)
      return { adapter, finish: (done) => void finished.add(done) }
    },
    replaceServer: async (key, create) => {
      const before = servers.get(key)
      await before?.adapter.close()
      const server = { adapter: create(), isWatching: before?.isWatching ?? false }
      servers.set(key, server)
      const watch = () => {
        server.isWatching = true
        server.adapter.watch()
      }
      if (server.isWatching) watch()
      return { adapter: server.adapter, watch }
    },
  }
}

async function endBuild({ adapter, begun, finished, log }: Build, process: BuildProcess): Promise<void> {
  const hasFailed = (process.exitCode ?? 0) !== 0 || begun.size > finished.size
  if (hasFailed || finished.size === 0) adapter.fail()
  try {
    const end = await adapter.sync()
    if (end.kind === 'synced') log.info(end.text)
    if (end.kind === 'skipped' && end.reason !== undefined) log.info(`not synced: ${end.reason}`)
    if (end.kind === 'failed') throw new Error(end.text)
  } catch (error) {
    log.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
  await adapter.close()
}
