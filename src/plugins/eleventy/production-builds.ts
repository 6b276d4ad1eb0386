import { escapeControl } from '../../core/escape-control.ts'
import type { Adapter, SyncEnd } from '../adapter/adapter.ts'
import { type Builds, NO_COLLECTIONS, type BuildReporter } from './builds.ts'
import { collectArticles } from './collections.ts'
import { eleventyError } from './eleventy-error.ts'

/**
 * Builds of `eleventy`: an error in the content ends one, and what it has written is followed by a sync. A script may
 * run several, each as if it were the only one.
 *
 * @param isDryRun whether the command was told to write nothing
 */
export function productionBuilds(adapter: Adapter, { info }: BuildReporter, isDryRun: boolean): Builds {
  let collections = NO_COLLECTIONS

  function tell(end: SyncEnd): void {
    if (end.kind === 'failed') throw eleventyError(`the sync did not go through\n\n${end.text}\n`)
    if (end.kind === 'synced') info(end.text)
    else if (end.reason !== undefined) info(escapeControl(`not synced: ${end.reason}`))
  }

  return {
    begin: async () => {
      adapter.renew()
      const reading = await adapter.read()
      const failure = adapter.failureOf(reading)
      if (failure !== undefined) throw eleventyError(`${failure.title}\n\n${failure.report}\n`)
      collections = collectArticles(reading.view, adapter.readBody)
    },
    finish: async ({ runMode, outputMode }) => {
      try {
        if (runMode === 'build' && outputMode === 'fs' && !isDryRun) tell(await adapter.sync())
      } finally {
        await adapter.close()
      }
    },
    collections: () => collections,
    failure: () => undefined,
  }
}
