import { KbError, type Diagnostic } from '../../index.ts'
import { escapeControl } from '../../core/escape-control.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { type ContentFailure, formatPlainly } from '../adapter/content-failure.ts'
import { collectArticles, type KbCollections } from './collections.ts'
import type { BuildEvent } from './eleventy-config.ts'
import { reportSyncEnd } from '../adapter/explain-sync.ts'

/** The plugin's steps before and after each build. */
export interface Builds {
  /** Reads the content. @throws if the build must fail */
  readonly begin: () => Promise<void>
  /** Called after a successful build. @throws if the build must fail nevertheless */
  readonly finish: (event: BuildEvent) => Promise<void>
  /** Collections of the last read; empty before the first. */
  readonly collections: () => KbCollections
  readonly failure: () => ContentFailure | undefined
}

/** Messages to the user of the build, one per call. */
export interface BuildReporter {
  readonly info: (text: string) => void
  readonly warn: (text: string) => void
  /** Printed even if Eleventy is set to quiet. */
  readonly error: (text: string) => void
}

const NO_COLLECTIONS: KbCollections = { articles: [], categories: [], tags: [] }

/**
 * Creates the steps of `eleventy`: an error in the content ends the build, and a successful build is followed by a
 * sync. A script may run several independent builds.
 *
 * @param isDryRun true if the command writes nothing
 */
export function productionBuilds(adapter: Adapter, { info }: BuildReporter, isDryRun: boolean): Builds {
  let collections = NO_COLLECTIONS

  async function sync(): Promise<void> {
    const problem = reportSyncEnd(await adapter.sync(), info)
    if (problem !== undefined) throw eleventyError(`the sync was not complete\n\n${problem}\n`)
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
        if (runMode === 'build' && outputMode === 'fs' && !isDryRun) await sync()
      } finally {
        await adapter.close()
      }
    },
    collections: () => collections,
    failure: () => undefined,
  }
}

/**
 * Creates the steps of `eleventy --serve` and `--watch`: an invalid article keeps its last valid version, the rest of
 * the site is built, and problems are reported.
 */
export function developmentBuilds(adapter: Adapter, { warn, error }: BuildReporter): Builds {
  let collections = NO_COLLECTIONS
  let failure: ContentFailure | undefined
  let lastWarnings = ''

  /** Reports errors in every build until they are fixed, and warnings only once. */
  function report(diagnostics: readonly Diagnostic[], root: string): void {
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
      report(reading.view.diagnostics, await adapter.root())
    },
    finish: async () => adapter.watch(),
    collections: () => collections,
    failure: () => failure,
  }
}

/** Creates an error that Eleventy prints without a stack, like other user errors. */
function eleventyError(text: string, cause?: unknown): Error {
  const error = new Error(`kb-sync: ${text}`, cause === undefined ? {} : { cause })
  return Object.assign(error, { skipOriginalStack: true })
}

/** Does the same for an external failure. Bugs are not changed. */
export function toEleventyError(error: unknown): unknown {
  if (!(error instanceof KbError)) return error
  const { message, hint } = error
  return eleventyError(escapeControl(hint === undefined ? message : `${message}\n${hint}`), error)
}
