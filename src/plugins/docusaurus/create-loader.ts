import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Adapter, ContentReading } from '../adapter/adapter.ts'
import { SETTLING_MS } from '../adapter/settling.ts'
import { asToolError } from './tool-messages.ts'

/**
 * Reads the content, and the configuration too if one of its files was edited. Every read except the first waits for
 * changes to settle. Concurrent calls run one after another.
 */
export function createLoader(adapter: Adapter) {
  const inTurn = pLimit(1)
  let watched: readonly string[] = []
  let configFiles: readonly string[] = []
  let stamps: string | undefined = ''
  let isFirst = true
  const stampsNow = () => configFiles.map(stampOf).join('\n')

  async function load(): Promise<ContentReading> {
    if (!isFirst) await sleep(SETTLING_MS)
    isFirst = false
    if (stamps !== stampsNow()) adapter.reopen()
    // After a failure, the next read opens the project again.
    stamps = undefined
    const reading = await adapter.read()
    const files = await adapter.watched()
    configFiles = files.configFiles
    watched = [files.content, ...configFiles]
    stamps = stampsNow()
    return reading
  }

  return {
    load: async () => {
      try {
        return await inTurn(load)
      } catch (error) {
        throw asToolError(error)
      }
    },
    /** Absolute paths whose changes require a new read; empty before the first one. */
    watched: () => watched,
  }
}

/** Returns a text that changes with the file. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size}`
}
