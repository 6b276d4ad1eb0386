import type { SiteBody } from '../../index.ts'
import type { ContentReading } from '../adapter/adapter.ts'

/** Where `virtual:kb` takes the content from: a build has read it once, a development server keeps it fresh. */
export interface ContentSource {
  readonly read: () => Promise<ContentReading>
  /** The text of an article of the last reading; undefined where there is none with this id. */
  readonly readBody: (id: string) => SiteBody | undefined
}

/** What the plugins that `kb()` returns have in common. */
export interface SharedSource {
  /** Set as soon as Vite's configuration is known. */
  current?: ContentSource | undefined
}
