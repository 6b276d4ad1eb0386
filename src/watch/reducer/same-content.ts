import { isDeepStrictEqual } from 'node:util'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'

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
