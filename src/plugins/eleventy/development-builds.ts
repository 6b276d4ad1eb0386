import type { Diagnostic } from '../../index.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { type ContentFailure, formatPlainly } from '../adapter/content-failure.ts'
import { type Builds, NO_COLLECTIONS, type BuildReporter } from './builds.ts'
import { collectArticles } from './collections.ts'

/**
 * Builds of `eleventy --serve` and `--watch`: an article that cannot be read stays as it was last good, the rest of
 * the site goes on, and what is wrong is told.
 */
export function developmentBuilds(adapter: Adapter, { warn, error }: BuildReporter): Builds {
  let collections = NO_COLLECTIONS
  let failure: ContentFailure | undefined
  let lastWarnings = ''

  /** Errors are told with every build until they are mended, warnings when they are news. */
  function tell(diagnostics: readonly Diagnostic[], root: string): void {
    const warnings = formatPlainly(
      diagnostics.filter(({ severity }) => severity === 'warning'),
      root,
    )
    if (warnings !== '' && warnings !== lastWarnings) warn(`the content has warnings\n\n${warnings}\n`)
    lastWarnings = warnings
    if (failure !== undefined) error(`${failure.title}\n\n${failure.report}\n`)
  }

  return {
    begin: async () => {
      const reading = await adapter.read()
      collections = collectArticles(reading.view, adapter.readBody)
      failure = reading.failure
      tell(reading.view.diagnostics, await adapter.root())
    },
    finish: async () => adapter.watch(),
    collections: () => collections,
    failure: () => failure,
  }
}
