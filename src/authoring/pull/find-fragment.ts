import { type AnchorIndex, createAnchorIndex, encodeAnchor } from '../../content/markdown/anchors.ts'
import type { RenderCache } from '../../content/render-cache.ts'
import type { DesiredArticle } from '../../core/model/document.ts'

/** Finds the fragment that a link to a heading is sent with; undefined where the document has no such heading. */
export function createFindFragment(
  articles: readonly DesiredArticle[],
  cache: Pick<RenderCache, 'readLinks'>,
): (source: string, fragment: string) => string | undefined {
  const keys = new Map(articles.map(({ source, inputKey }) => [source, inputKey]))
  const indexes = new Map<string, AnchorIndex>()
  return (source, fragment) => {
    const key = keys.get(source)
    if (key === undefined) return undefined
    const index = indexes.get(key) ?? createAnchorIndex(cache.readLinks(key).anchors)
    indexes.set(key, index)
    const anchor = index.find(fragment)
    return anchor === undefined ? undefined : encodeAnchor(anchor)
  }
}
