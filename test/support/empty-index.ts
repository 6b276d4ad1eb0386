import type { ArticleIndex } from '../../src/content/pipeline/article-index.ts'
import type { KnownTarget } from '../../src/sync/state/run-index.ts'

/** The index of content without articles. */
export const EMPTY_INDEX: ArticleIndex = {
  forms: [],
  routes: [],
  assigned: undefined,
  pages: [],
  folderPages: undefined,
  taxonomy: { categories: undefined, tags: undefined },
  described: [],
  included: [],
}

/** What a run knows of a target without entries. */
export const EMPTY_TARGET: KnownTarget = {
  categories: [],
  languages: [],
  articleLimit: undefined,
  categoryIds: {},
  tagIds: {},
  orphans: [],
}
