import { relative, sep } from 'node:path'
import type { Adapter, ContentReading } from '../adapter/adapter.ts'
import { SETTLING_MS } from '../adapter/settling.ts'
import type { DevReporter } from './dev-reporter.ts'
import { writeVirtualTypes } from './virtual-types.ts'

interface DevSessionMaterial {
  readonly adapter: Adapter
  readonly teller: DevReporter
  /** Absolute paths at which a configuration may lie, besides those that the adapter knows. */
  readonly configCandidates: readonly string[]
  /** Asks for events of files and of what is below folders, by absolute path. */
  readonly watch: (paths: readonly string[]) => void
}

/** The content while it is written, as pages of a development server show it. */
export interface DevSession {
  /** The latest reading that went well; waits for the first one. */
  readonly read: () => Promise<ContentReading>
  /** A file was changed, made or deleted. @param file absolute path */
  readonly noticed: (file: string) => void
  /** Looks again though no change was noticed: not all of them are, least while a watch begins. */
  readonly refresh: () => void
  readonly close: () => Promise<void>
}

/** Begins with a first check of the files, which goes on while the server starts. */
export function startDevSession(material: DevSessionMaterial): DevSession {
  const { adapter, teller, configCandidates, watch } = material
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

  async function tellOf(reading: Promise<ContentReading>): Promise<void> {
    try {
      const value = await reading
      // A page that worked goes on with what it had until there is more.
      latest = reading
      teller.tell(value, { root: await adapter.root(), content: watched?.content ?? '' })
      if (!isClosed) adapter.watch()
    } catch (error) {
      teller.tellThrown(error)
    }
  }

  function refresh(): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(() => (isClosed ? undefined : tellOf(look())))
    }, SETTLING_MS)
  }

  watch(configCandidates)
  let latest = look()
  let last = tellOf(latest)
  return {
    read: () => latest,
    noticed: (file) => {
      const isConfig = configCandidates.includes(file) || watched?.configFiles.includes(file) === true
      if (!isConfig && !isContent(file, watched?.content)) return
      isReconfigured ||= isConfig
      refresh()
    },
    refresh,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await last
      await adapter.close()
    },
  }
}

/** Tools keep folders of their own among the pages, and so do we where the project's folder is the content. */
function isContent(file: string, content: string | undefined): boolean {
  if (content === undefined) return false
  const names = relative(content, file).split(sep)
  return !names.some((name) => name === 'node_modules' || name.startsWith('.'))
}
