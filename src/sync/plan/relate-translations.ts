import type { Matches } from './match-articles.ts'
import { type ResolvedArticle, withOriginal } from './payload.ts'

/**
 * Tells each translation the id of its original on the target ('' while it has none). An original that the target does
 * not take in its language is none: the translation then stands for itself. The order of the input does not matter.
 */
export function relateTranslations(
  wanted: readonly ResolvedArticle[],
  { entryOf }: Pick<Matches, 'entryOf'>,
  goneIds: ReadonlySet<string>,
): readonly ResolvedArticle[] {
  if (wanted.every(({ article }) => article.original === undefined)) return wanted
  const sendable = new Set(wanted.map(({ article }) => article.source))
  return wanted.map((each) => {
    const { original } = each.article
    if (original === undefined || !sendable.has(original)) return each
    const id = entryOf.get(original)?.id ?? ''
    return withOriginal(each, goneIds.has(id) ? '' : id)
  })
}
