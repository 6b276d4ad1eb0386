// The parts of Eleventy 3 that the plugin uses, according to its documentation. The check of the fixture site compares
// them with Eleventy's own types.

type RunMode = 'build' | 'serve' | 'watch'

/** The argument of `eleventy.before` and `eleventy.after`. */
export interface BuildEvent {
  readonly runMode: RunMode
  /** `fs` writes pages; the others print them. */
  readonly outputMode: 'fs' | 'json' | 'ndjson'
}

export type Listener = (...args: never[]) => unknown

/** A Node event emitter whose `emit` waits for its listeners, concurrently or one by one. */
export interface EleventyEvents {
  readonly on: (name: string, listener: Listener) => unknown
  readonly off: (name: string, listener: Listener) => unknown
  readonly listeners: (name: string) => readonly unknown[]
}

interface EleventyLogger {
  /** These three print nothing with `--quiet`. */
  readonly log: (text: string) => void
  readonly info: (text: string) => void
  readonly warn: (text: string) => void
  readonly message: (text: string, type: 'error', color: 'red', isForced: true) => void
}

interface GlobList {
  readonly add: (glob: string) => unknown
}

/** A page in a transform; no `outputPath` if the page is not written. */
interface TransformedPage {
  readonly page?: { readonly outputPath?: string | false | undefined } | undefined
}

/** The argument of a configuration function. */
export interface EleventyConfig {
  readonly events: EleventyEvents
  /** Undefined until the configuration is complete. */
  readonly logger?: EleventyLogger | undefined
  readonly ignores: GlobList
  readonly watchIgnores?: GlobList | undefined
  on(
    name: 'eleventy.before' | 'eleventy.after' | 'eleventy.reset',
    listener: (event: BuildEvent) => Promise<void>,
  ): unknown
  addCollection(name: string, collect: () => readonly object[]): void
  addFilter(name: string, filter: (id: string) => unknown): void
  addTransform(name: string, transform: (this: TransformedPage, content: string) => Promise<string>): void
  addWatchTarget(path: string, options?: { readonly resetConfig?: boolean }): void
}
