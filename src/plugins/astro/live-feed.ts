import { basename, dirname } from 'node:path'
import { isInside } from '../../core/paths.ts'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import type { Adapter, ContentReading } from '../adapter/adapter.ts'
import { SETTLING_MS } from '../adapter/settling.ts'
import type { AstroFileWatcher } from './astro-types.ts'

/** The result of a check of the files. */
export type ContentCheck =
  | { readonly kind: 'read'; readonly reading: ContentReading }
  /** For example, the configuration is invalid, or a collection rejects the content. */
  | { readonly kind: 'failed'; readonly error: unknown }

/** Receives the result of a check; bodies come from the adapter. */
export type ContentListener = (reading: ContentReading, adapter: Adapter) => Promise<void>

/** The content of one project for the integration and all collections of a site. */
export type LiveFeed = ReturnType<typeof createLiveFeed>

/** @param report called after every check, once all collections have received it */
export function createLiveFeed(adapter: Adapter, report: (check: ContentCheck) => Promise<void>) {
  const listeners = new Map<string, ContentListener>()
  let isDue = false
  let isReopening = false
  let checking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function checkUntilDone(): Promise<void> {
    try {
      while (isDue) {
        isDue = false
        // oxlint-disable-next-line no-await-in-loop -- a change that came in the meantime is checked after this one
        await report(await checkOnce())
      }
    } finally {
      checking = undefined
    }
  }

  async function checkOnce(): Promise<ContentCheck> {
    try {
      if (isReopening) adapter.reopen()
      isReopening = false
      const reading = await adapter.read()
      await Promise.all([...listeners.values()].map((listen) => listen(reading, adapter)))
      return { kind: 'read', reading }
    } catch (error) {
      return { kind: 'failed', error }
    }
  }

  async function check(): Promise<void> {
    isDue = true
    checking ??= checkUntilDone()
    await checking
  }

  return {
    adapter,
    /** `listen` receives the result of every check. Replaces the listener with the same name. */
    subscribe: (name: string, listen: ContentListener) => void listeners.set(name, listen),
    listeners,
    /** Checks the files now. */
    check,
    /** Checks the files when a watcher of a dev server sees a change. */
    follow: (watcher: AstroFileWatcher) =>
      watchFiles(adapter, watcher, (isConfig) => {
        isReopening ||= isConfig
        clearTimeout(timer)
        timer = setTimeout(() => void check(), SETTLING_MS)
      }),
    close: async () => {
      clearTimeout(timer)
      listeners.clear()
      await checking
      await adapter.close()
    },
  }
}

async function watchFiles(
  adapter: Adapter,
  watcher: AstroFileWatcher,
  onChange: (isConfig: boolean) => void,
): Promise<void> {
  const root = await adapter.root()
  const { content, configFiles } = await adapter.watched()
  watcher.add([content, ...configFiles])
  const onEvent = (path: string) => {
    const isConfig = configFiles.includes(path) || isConfigFile(path, root)
    if (isConfig || isInside(content, path)) onChange(isConfig)
  }
  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, onEvent)
  // A watcher misses changes until it knows the files.
  watcher.on('ready', () => onChange(false))
}

function isConfigFile(path: string, root: string): boolean {
  return dirname(path) === root && CONFIG_NAMES.some((name) => name === basename(path))
}
