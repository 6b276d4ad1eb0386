import type { AdapterHost } from './adapter/adapter.ts'
import { createAdapter } from './adapter/create-adapter.ts'
import { assertPluginOptions, type PluginOptions } from './adapter/plugin-options.ts'
import {
  announceFiles,
  callLast,
  isDryRun,
  offerCollections,
  showProblems,
  stopOnInterrupt,
} from './eleventy/site-hooks.ts'
import {
  type Builds,
  type BuildReporter,
  developmentBuilds,
  toEleventyError,
  productionBuilds,
} from './eleventy/builds.ts'
import type { BuildEvent, EleventyConfig } from './eleventy/eleventy-config.ts'

export type {
  EleventyArticle as KbArticle,
  EleventyCategory as KbCategory,
  EleventyTag as KbTag,
} from './eleventy/collections.ts'

export interface EleventyPluginOptions extends PluginOptions {
  /** True if Eleventy ignores the Markdown files of the content folder. Default true. */
  readonly ignoreContent?: boolean | undefined
}

/**
 * The plugin for Eleventy 3, also the default export. It provides the collections `kb`, `kbCategories` and `kbTags` to
 * templates, checks the articles in every build, and sends them if `sync` is set.
 *
 * @throws KbError CONFIG_INVALID
 *
 * @example
 * ```js
 * import kb from 'kb-sync/eleventy'
 *
 * export default function (eleventyConfig) {
 *   eleventyConfig.addPlugin(kb, { sync: 'build', links: { article: '/help/{id}/' } })
 * }
 * ```
 */
export async function kb(config: EleventyConfig, options: EleventyPluginOptions = {}): Promise<void> {
  assertPluginOptions('The Eleventy plugin', options, { ignoreContent: 'boolean' })
  const cwd = process.cwd()
  const runMode = process.env['ELEVENTY_RUN_MODE'] ?? 'build'
  const mode: AdapterHost['mode'] = runMode === 'build' ? 'build' : 'dev'
  const talk = reporterOf(config)
  const adapter = createAdapter(options, { cwd, mode, env: process.env, ...talk })
  const builds =
    mode === 'build'
      ? productionBuilds(adapter, talk, isDryRun(process.argv))
      : developmentBuilds(adapter, talk)

  followBuilds(config, builds)
  offerCollections(config, builds.collections)
  if (runMode === 'serve') showProblems(config, builds.failure)
  // A build that runs, or starts while Eleventy shuts down, still writes complete pages, so the content stays open.
  const release = mode === 'dev' ? stopOnInterrupt(adapter.endWatch) : () => undefined
  // The configuration of the site or the content was edited, so Eleventy runs the plugin again.
  config.on('eleventy.reset', () => {
    release()
    return adapter.close()
  })
  const { config: configFile, ignoreContent = true } = options
  await announceFiles(config, adapter, { cwd, configFile, ignoresContent: ignoreContent })
}

export { kb as default }

function reporterOf(config: EleventyConfig): BuildReporter {
  const named = (text: string) => `kb-sync: ${text}`
  return {
    info: (text) => config.logger?.log(named(text)),
    warn: (text) => config.logger?.warn(named(text)),
    error: (text) => config.logger?.message(named(text), 'error', 'red', true),
  }
}

function followBuilds(config: EleventyConfig, { begin, finish }: Builds): void {
  const placeLast = callLast(config.events, 'eleventy.after', (event: BuildEvent) =>
    explainingFailures(() => finish(event)),
  )
  config.on('eleventy.before', () => {
    placeLast()
    return explainingFailures(begin)
  })
}

/** Rethrows failures in a form that Eleventy prints well. */
async function explainingFailures(step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    throw toEleventyError(error)
  }
}
