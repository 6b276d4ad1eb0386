import type { SiteBody } from '../../index.ts'
import type { ContentReading } from '../adapter/adapter.ts'

/** The source of `virtual:kb`. A build reads it once, a development server keeps it up to date. */
export interface ContentSource {
  readonly read: () => Promise<ContentReading>
  /** The body of an article as of the last read; undefined if there is no article with this id. */
  readonly readBody: (id: string) => SiteBody | undefined
}

/** State shared by the plugins of `kb()`. */
export interface SharedSource {
  /** Set once Vite's configuration is known. */
  current?: ContentSource | undefined
}
