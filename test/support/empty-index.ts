import type { ArticleIndex } from '../../src/content/pipeline/article-index.ts'

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
