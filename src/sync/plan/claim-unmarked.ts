import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { matchesLocal } from './matches-local.ts'
import { lacksOriginal, type ResolvedArticle } from './payload.ts'
import type { Ownership, RemoteEntry } from './remote-entry.ts'

/**
 * Takes as ours what a target that strips comments left without marker: an article with a wanted slug and language
 * whose fields (a defaulted review date aside) and projection are what we would send. One that differs stays foreign, and
 * so does one that is known to belong to another project.
 */
export function claimUnmarked(
  entries: readonly RemoteEntry[],
  wanted: readonly ResolvedArticle[],
): RemoteEntry[] {
  const bySlug = new Map(wanted.map((each) => [slugKey(each.article), each]))
  return entries.map((entry) => {
    if (entry.ours !== undefined || entry.project !== undefined || entry.remote === undefined) return entry
    const match = bySlug.get(slugKey(entry))
    const ours = match && ownUnsent(entry.remote, match)
    return ours === undefined ? entry : { ...entry, ours: { ...ours, isClaimed: true } }
  })
}

/** What makes an article ours that we never sent; undefined where it is not to the letter what we would send. */
export function ownUnsent(remote: RemoteArticle, wanted: ResolvedArticle): Ownership | undefined {
  // While an original has no id, no article can name it.
  const { article, fingerprint, translationOf } = wanted
  const isRelated = !lacksOriginal(wanted) && remote.languageParent === translationOf?.id
  if (!isRelated || !matchesLocal(remote, wanted)) return undefined
  const { fieldsHash, projectionHash } = remote
  return { key: article.key, fingerprint, sourceHash: article.sourceHash, fieldsHash, projectionHash }
}

/** Whether an article was claimed that would carry our marker if it were ours, as has turned out since. */
export function isWronglyClaimed(ours: Ownership | undefined, keepsComments: boolean | undefined): boolean {
  return ours?.isClaimed === true && keepsComments === true
}

/** Whether the target keeps markers, as one that was read shows, whosever it is; undefined where none was. */
export function seesMarkers(entries: readonly RemoteEntry[]): true | undefined {
  return entries.some(({ remote }) => remote?.marker !== undefined) || undefined
}
