import type { ArticleRecord } from '../../core/model/target-state.ts'
import type { SentArticle } from './apply-context.ts'

/**
 * What is remembered of an article that was sent.
 *
 * @param id '' while the target has not listed it
 * @param naming how the id is known
 */
export function recordOfSent(
  { wanted, fieldsHash, editedMs, sentMs }: SentArticle,
  id: string,
  {
    isUnproven = false,
    isAccepted = false,
  }: { readonly isUnproven?: boolean; readonly isAccepted?: boolean } = {},
): ArticleRecord {
  const { key, source, slug, language, title, sourceHash, projectionHash } = wanted.article
  return {
    key,
    source,
    slug,
    language,
    title,
    id,
    fingerprint: wanted.fingerprint,
    sourceHash,
    fieldsHash,
    projectionHash,
    languageParent: wanted.originalId,
    editedMs,
    ...(id === '' && { sentMs }),
    ...(id === '' && isAccepted && { isAccepted }),
    ...(isUnproven && { isUnproven }),
  }
}
