import type { DesiredArticle } from '../model/document.ts'
import type { RemoteArticle } from '../model/remote-article.ts'
import { isAsWanted } from '../plan/as-wanted.ts'
import { wantArticle } from '../plan/payload.ts'
import type { TaxonomyIndex } from '../plan/taxonomy/taxonomy-index.ts'

/**
 * Whether a sync will take the article, which carries no marker, for ours because the new file says just what it says.
 *
 * @param originalId on the target, undefined where the file is no translation
 */
export function isRecognised(
  article: DesiredArticle,
  remote: RemoteArticle,
  index: TaxonomyIndex,
  originalId: string | undefined,
): boolean {
  const ids = (references: readonly string[], resolve: TaxonomyIndex['tag']) =>
    references.flatMap((reference) => {
      const resolved = resolve(reference)
      return resolved.kind === 'id' ? [resolved.id] : []
    })
  const wanted = wantArticle(article, ids(article.categories, index.category), ids(article.tags, index.tag))
  return remote.languageParent === originalId && isAsWanted(remote, wanted)
}
