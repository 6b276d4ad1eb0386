import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { Orphan } from '../../core/model/plan.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { MovedFile } from './watch-event.ts'
import { isDeepStrictEqual } from 'node:util'

/** The last file of each article, by its slug and language. */
type ArticleFiles = ReadonlyMap<string, string>

/** Records the file of each article. @param moved articles whose previous file is gone */
export function trackArticleFiles(before: ArticleFiles, { articles }: LoadedContent) {
  const files = new Map(before)
  const moved: MovedFile[] = []
  for (const { slug, language, source } of articles) {
    const from = files.get(slugKey({ slug, language }))
    if (from !== undefined && from !== source) moved.push({ from, to: source })
    files.set(slugKey({ slug, language }), source)
  }
  if (moved.length === 0) return { files, moved }
  const present = new Set(articles.map(({ source }) => source))
  return { files, moved: moved.filter(({ from }) => !present.has(from)) }
}

/** Undefined if no file of the article was seen. */
export function lastFileOf(
  files: ArticleFiles,
  article: Pick<Orphan, 'slug' | 'language'>,
): string | undefined {
  return files.get(slugKey(article))
}

/** True if both give the same articles, categories and tags on a target. */
export function isSameContent(before: LoadedContent, now: LoadedContent): boolean {
  if (before === now) return true
  return (
    before.articles.length === now.articles.length &&
    before.articles.every((article, index) => isDeepStrictEqual(article, now.articles[index])) &&
    isDeepStrictEqual(before.taxonomy, now.taxonomy)
  )
}

export function isSameSet(before: ReadonlySet<string>, now: ReadonlySet<string>): boolean {
  return before.size === now.size && [...before].every((member) => now.has(member))
}
