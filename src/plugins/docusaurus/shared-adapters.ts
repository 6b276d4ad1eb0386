// Keeps adapters for the whole process, since Docusaurus creates its plugins again for every locale of a build, and
// after every edit of its configuration during development.
import type { Adapter } from '../adapter/adapter.ts'
import type { ToolLogger } from './tool-messages.ts'
import { reportSyncEnd } from '../adapter/explain-sync.ts'

export type SharedAdapters = ReturnType<typeof createSharedAdapters>

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

export function createSharedAdapters(process: BuildProcess) {
  const builds = new Map<string, Build>()
  const servers = new Map<string, { readonly adapter: Adapter; isWatching: boolean }>()

  // After the plugins have finished the last locale, Docusaurus still checks for broken links. A failed build exits
  // immediately; only a successful one becomes idle.
  function onIdle(): void {
    for (const build of builds.values()) {
      if (build.isOver) continue
      build.isOver = true
      void endBuild(build, process)
    }
  }

  return {
    /** Returns one adapter for all locales of a build. `finish` marks the pages of a locale as written. */
    joinBuild: (key: string, locale: string, create: () => Adapter, log: ToolLogger) => {
      if (builds.size === 0) process.on('beforeExit', onIdle)
      let build = builds.get(key)
      if (build === undefined) {
        build = { adapter: create(), begun: new Set(), finished: new Set(), log, isOver: false }
        builds.set(key, build)
      } else if (build.begun.has(locale)) {
        // The same locale again means another build.
        build.adapter.renew()
        build.begun.clear()
        build.finished.clear()
        build.isOver = false
      }
      const { adapter, begun, finished } = build
      begun.add(locale)
      return { adapter, finish: (written: string) => void finished.add(written) }
    },
    /** Replaces the adapter of a development server. The new one watches if the old one did. */
    replaceServer: async (key: string, create: () => Adapter) => {
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
    const failure = reportSyncEnd(await adapter.sync(), log.info)
    if (failure !== undefined) throw new Error(failure)
  } catch (error) {
    log.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
  await adapter.close()
}
