import { isDeepStrictEqual } from 'node:util'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'

/** Whether a target that has `before` would have nothing to learn from `now`. */
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
