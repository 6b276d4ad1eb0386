// What the plugin uses of Eleventy 3, by its documentation. The types of Eleventy itself are held against these where
// its fixture site is checked.

type RunMode = 'build' | 'serve' | 'watch'

/** What Eleventy tells with `eleventy.before` and `eleventy.after`. */
export interface BuildEvent {
  readonly runMode: RunMode
  /** `fs` writes pages; the others print them. */
  readonly outputMode: 'fs' | 'json' | 'ndjson'
}

export type Listener = (...args: never[]) => unknown

/** An emitter of Node whose `emit` waits for its listeners, all at once or one by one. */
export interface EleventyEvents {
  readonly on: (name: string, listener: Listener) => unknown
  readonly off: (name: string, listener: Listener) => unknown
  readonly listeners: (name: string) => readonly unknown[]
}

interface EleventyLogger {
  /** These three say nothing with `--quiet`. */
  readonly log: (text: string) => void
  readonly info: (text: string) => void
  readonly warn: (text: string) => void
  readonly message: (text: string, type: 'error', color: 'red', isForced: true) => void
}

interface GlobList {
  readonly add: (glob: string) => unknown
}

/** A page that a transform works on; no `outputPath` where the page is not written. */
interface TransformedPage {
  readonly page?: { readonly outputPath?: string | false | undefined } | undefined
}

/** The argument of a configuration function. */
export interface EleventyConfig {
  readonly events: EleventyEvents
  /** Not there before the configuration is complete. */
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
