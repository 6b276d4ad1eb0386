import type { SiteBody, SiteView } from '../../index.ts'
import type { ContentFailure } from './content-failure.ts'

/** What a build tool lends to its plugin. */
export interface AdapterHost {
  /** Absolute path of the folder of the site. */
  readonly cwd: string
  /** `dev`: a server that shows the site while it is written. */
  readonly mode: 'build' | 'dev'
  readonly env: Readonly<Record<string, string | undefined>>
  /** One message each, without a prefix; it may have several lines. */
  readonly info: (text: string) => void
  readonly warn: (text: string) => void
}

/** The content as a tool takes it. */
export interface ContentReading {
  readonly view: SiteView
  /** Sources that changed since the last reading. */
  readonly touched: readonly string[]
  /** Errors in the content, whatever `check` says of them. */
  readonly failure: ContentFailure | undefined
}

export type SyncEnd =
  /** `text` says what was done. */
  | { readonly kind: 'synced'; readonly text: string }
  /** Nothing was sent, and that is as it should be. `reason` undefined: no one has asked for it. */
  | { readonly kind: 'skipped'; readonly reason: string | undefined }
  /** The build has to fail with this. */
  | { readonly kind: 'failed'; readonly text: string }

/**
 * What all build plugins have in common: one check of the content for one build, at most one sync after it, and none
 * where anything has failed. Nothing is read or opened before the first call.
 */
export interface Adapter {
  /** Absolute path of the project, which is where its configuration lies. */
  readonly root: () => Promise<string>
  /** Absolute paths: the content folder, and the files that the configuration consists of. */
  readonly watched: () => Promise<{ readonly content: string; readonly configFiles: readonly string[] }>
  /**
   * The content. In a build it is read once and checked like `kb check` does; warnings are told once, and errors too
   * where `check` is `warn`. In development every call checks the files again, and reads those that changed.
   *
   * @throws KbError CONTENT_UNREADABLE, CONFIG_UNREADABLE, CONFIG_INVALID …
   */
  readonly read: () => Promise<ContentReading>
  /** The failure that a build has to end with; undefined also where `check` is `warn`. */
  readonly failureOf: (reading: ContentReading) => ContentFailure | undefined
  /** The text of an article of the last reading; undefined where there is none with this id. */
  readonly readBody: (id: string) => SiteBody | undefined
  /** Digest that changes exactly when that text does, known without reading it. */
  readonly bodyDigest: (id: string) => string | undefined
  /** The build has failed elsewhere: nothing is synced any more. */
  readonly fail: () => void
  /** A new build begins in this process: the content is read again, and may be synced again. */
  readonly renew: () => void
  /**
   * After a build: sends the articles where `sync` is `build`, the place allows it and nothing has failed. Called again
   * in the same build, it answers as before and sends nothing.
   */
  readonly sync: () => Promise<SyncEnd>
  /** In development, where `sync` is `watch`: sends what is saved until the adapter is closed. Else it does nothing. */
  readonly watch: () => void
  /** Ends that for good: `watch` does nothing any more. The content can still be read. */
  readonly endWatch: () => Promise<void>
  /** The configuration was edited: the next reading opens the content again. Until then, texts are those of the last one. */
  readonly reopen: () => void
  /** Ends what is under way; no text is there any more. */
  readonly close: () => Promise<void>
}
