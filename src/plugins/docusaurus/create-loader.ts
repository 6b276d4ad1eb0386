import { statSync } from 'node:fs'
import type { Adapter, Reading } from '../adapter/adapter.ts'
import { asToolError } from './tool-error.ts'

export interface Loader {
  /** Reads the content, and the configuration too where one of its files was edited. */
  readonly load: () => Promise<Reading>
  /** Absolute paths whose changes make a new look worthwhile; empty before the first one. */
  readonly watched: () => readonly string[]
}

export function createLoader(adapter: Adapter): Loader {
  let watched: readonly string[] = []
  let configFiles: readonly string[] = []
  let stamps: string | undefined = ''
  const stampsNow = () => configFiles.map(stampOf).join('\n')
  return {
    load: async () => {
      if (stamps !== stampsNow()) adapter.reopen()
      // Until this look has gone well, the next one opens the project anew.
      stamps = undefined
      try {
        const reading = await adapter.read()
        const files = await adapter.watched()
        configFiles = files.configFiles
        watched = [files.content, ...configFiles]
        stamps = stampsNow()
        return reading
      } catch (error) {
        throw asToolError(error)
      }
    },
    watched: () => watched,
  }
}

/** Changes whenever the file does. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size}`
}
