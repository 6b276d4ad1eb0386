import type { ContentFailure } from '../adapter/content-failure.ts'
import type { KbCollections } from './collections.ts'
import type { BuildEvent } from './eleventy-config.ts'

/** What the plugin does around each build of the site. */
export interface Builds {
  /** The content is read. @throws where the build has to fail */
  readonly begin: () => Promise<void>
  /** All went well. @throws where the build has to fail nevertheless */
  readonly finish: (event: BuildEvent) => Promise<void>
  /** Of the last reading; empty before the first. */
  readonly collections: () => KbCollections
  /** Errors that pages should show. */
  readonly failure: () => ContentFailure | undefined
}

/** Messages to whoever builds the site, one each. */
export interface BuildReporter {
  readonly info: (text: string) => void
  readonly warn: (text: string) => void
  /** Said even where Eleventy is told to be quiet. */
  readonly error: (text: string) => void
}

export const NO_COLLECTIONS: KbCollections = { articles: [], categories: [], tags: [] }
