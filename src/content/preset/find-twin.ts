import type { FrontmatterMapping } from '../../core/model/frontmatter-mapping.ts'
import type { CompiledArticle } from '../compile-sources.ts'
import { placeOfFile } from './file-place.ts'

/**
 * Finds the file in the default language that an article is the translation of: the one with the same translation key,
 * else the one in the same place.
 */
export function createFindTwin(
  articles: readonly Pick<CompiledArticle, 'source' | 'meta'>[],
  mapping: FrontmatterMapping,
): (source: string) => string | undefined {
  const originals = new Map<string, string>()
  const keys = new Map<string, string>()
  for (const { source, meta } of articles) {
    const place = placeOfFile(source, mapping)
    const { translationKey } = meta
    if (translationKey !== undefined) keys.set(source, `key ${translationKey}`)
    if (place.language !== undefined) continue
    originals.set(`place ${place.key}`, source)
    if (translationKey !== undefined) originals.set(`key ${translationKey}`, source)
  }
  return (source) => {
    const { language, key } = placeOfFile(source, mapping)
    if (language === undefined) return undefined
    return originals.get(keys.get(source) ?? '') ?? originals.get(`place ${key}`)
  }
}
