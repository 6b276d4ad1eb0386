import type { ContentOptions } from '../../content/content-options.ts'
import type { SourceFilter } from '../../content/find-sources.ts'
import type { RenderCache } from '../../content/render-cache.ts'

export interface LiveContentOptions {
  readonly options: ContentOptions
  /** Of `include` and `exclude`, see `createSourceFilter`. */
  readonly isIncluded: SourceFilter
  /** Called once, at the first look; the cache is closed with the content. */
  readonly openCache: () => RenderCache
  /** Milliseconds since 1970, by the clock that the file system goes by as well. */
  readonly now: () => number
}
