import type { SiteBody, SiteView } from '../../index.ts'
import type { ContentFailure } from './content-failure.ts'

/** The functions of a build tool that its plugin uses. */
export interface AdapterHost {
  /** Absolute path of the site's folder. */
  readonly cwd: string
  /** `dev`: a development server. */
  readonly mode: 'build' | 'dev'
  readonly env: Readonly<Record<string, string | undefined>>
  /** One message per call, without a prefix; may have several lines. */
  readonly info: (text: string) => void
  readonly warn: (text: string) => void
}

/** The content for a tool. */
export interface ContentReading {
  readonly view: SiteView
  /** Sources that changed since the last read. */
  readonly touched: readonly string[]
  /** Errors in the content, regardless of `check`. */
  readonly failure: ContentFailure | undefined
}

export type SyncEnd =
  /** `text` summarises the sync. */
  | { readonly kind: 'synced'; readonly text: string }
  /** Nothing was sent, as intended. `reason` is undefined if no sync was requested. */
  | { readonly kind: 'skipped'; readonly reason: string | undefined }
  /** The build must fail with this text. */
  | { readonly kind: 'failed'; readonly text: string }

/**
 * The core of all build plugins: one check of the content per build, then at most one sync, and none after a failure.
 * Reads and opens nothing before the first call.
 */
export interface Adapter {
  /** Absolute path of the project, the folder of its configuration. */
  readonly root: () => Promise<string>
  /** Absolute paths of the content folder and of the configuration's files. */
  readonly watched: () => Promise<{ readonly content: string; readonly configFiles: readonly string[] }>
  /**
   * The content. In a build, it is read once and checked as by `kb check`; warnings, and errors if `check` is `warn`,
   * are reported once. In development, every call checks the files again and reads those that changed.
   *
   * @throws KbError CONTENT_UNREADABLE, CONFIG_UNREADABLE, CONFIG_INVALID …
   */
  readonly read: () => Promise<ContentReading>
  /** The failure that ends the build; undefined if `check` is `warn`. */
  readonly failureOf: (reading: ContentReading) => ContentFailure | undefined
  /** The body of an article as of the last read; undefined if there is no article with this id. */
  readonly readBody: (id: string) => SiteBody | undefined
  /** Digest that changes exactly when the body changes, computed without reading it. */
  readonly bodyDigest: (id: string) => string | undefined
  /** Marks the build as failed, so that nothing is synced. */
  readonly fail: () => void
  /** Starts a new build in this process: the content is read again, and may be synced again. */
  readonly renew: () => void
  /**
   * After a build: sends the articles if `sync` is `build`, this build may sync, and nothing has failed. Another call
   * in the same build returns the same result and sends nothing.
   */
  readonly sync: () => Promise<SyncEnd>
  /** In development, if `sync` is `watch`: sends every save until the adapter is closed. Otherwise does nothing. */
  readonly watch: () => void
  /** Ends the watch for good: later `watch` calls do nothing. The content can still be read. */
  readonly endWatch: () => Promise<void>
  /**
   * Makes the next read open the content again after an edit of the configuration. Until then, bodies are those of the
   * last read.
   */
  readonly reopen: () => void
  /** Ends the work in progress. No body is available afterwards. */
  readonly close: () => Promise<void>
}
