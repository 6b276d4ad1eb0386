import { relative, sep } from 'node:path'
import type { Adapter, ContentReading } from '../adapter/adapter.ts'
import { SETTLING_MS } from '../adapter/settling.ts'
import type { DevReporter } from './dev-reporter.ts'
import { writeVirtualTypes } from './virtual-types.ts'

interface DevSessionMaterial {
  readonly adapter: Adapter
  readonly reporter: DevReporter
  /** Absolute paths of possible configurations, in addition to those that the adapter knows. */
  readonly configCandidates: readonly string[]
  /** Watches files, and everything below folders, by absolute path. */
  readonly watch: (paths: readonly string[]) => void
}

/** The content during development, for the pages of a development server. */
export type DevSession = ReturnType<typeof startDevSession>

/** Starts with a first check of the files, which runs while the server starts. */
export function startDevSession(material: DevSessionMaterial) {
  const { adapter, reporter, configCandidates, watch } = material
  let watched: Awaited<ReturnType<Adapter['watched']>> | undefined
  let timer: NodeJS.Timeout | undefined
  let isReconfigured = false
  let isClosed = false

  async function look(): Promise<ContentReading> {
    if (isReconfigured) adapter.reopen()
    isReconfigured = false
    const reading = await adapter.read()
    watched = await adapter.watched()
    watch([watched.content, ...watched.configFiles])
    await writeVirtualTypes(await adapter.root(), reading.view)
    return reading
  }

  async function reportOn(reading: Promise<ContentReading>): Promise<void> {
    try {
      const value = await reading
      // A working page keeps its content until there is new content.
      latest = reading
      reporter.report(value, { root: await adapter.root(), content: watched?.content ?? '' })
      if (!isClosed) adapter.watch()
    } catch (error) {
      reporter.reportFailure(error)
    }
  }

  function refresh(): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(() => (isClosed ? undefined : reportOn(look())))
    }, SETTLING_MS)
  }

  watch(configCandidates)
  let latest = look()
  let last = reportOn(latest)
  return {
    /** Returns the latest successful read. Waits for the first one. */
    read: () => latest,
    /** Called when a file was changed, created or deleted. @param file absolute path */
    noticed: (file: string) => {
      const isConfig = configCandidates.includes(file) || watched?.configFiles.includes(file) === true
      if (!isConfig && !isContent(file, watched?.content)) return
      isReconfigured ||= isConfig
      refresh()
    },
    /** Checks again without a change, because watchers miss some changes, especially at their start. */
    refresh,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await last
      await adapter.close()
    },
  }
}

/** Excludes folders of tools among the pages, and our own if the project folder is the content folder. */
function isContent(file: string, content: string | undefined): boolean {
  if (content === undefined) return false
  const names = relative(content, file).split(sep)
  return !names.some((name) => name === 'node_modules' || name.startsWith('.'))
}
