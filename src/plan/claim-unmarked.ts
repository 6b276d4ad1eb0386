import { slugKey } from '../model/slug-key.ts'
import { isAsWanted } from './as-wanted.ts'
import type { WantedArticle } from './payload.ts'
import type { RemoteEntry } from './remote-entry.ts'

/**
 * Takes as ours what a target that strips comments left without marker: an article with a wanted slug and language
 * whose fields (a defaulted review date aside) and projection are what we would send. One that differs stays foreign.
 */
export function claimUnmarked(
  entries: readonly RemoteEntry[],
  wanted: readonly WantedArticle[],
): RemoteEntry[] {
  const bySlug = new Map(wanted.map((each) => [slugKey(each.article), each]))
  return entries.map((entry) => {
    if (entry.ours !== undefined || entry.project !== undefined || entry.remote === undefined) return entry
    const match = bySlug.get(slugKey(entry))
    if (match === undefined || !isWhatWeWouldSend(entry, match)) return entry
    const { article, fingerprint } = match
    const { fieldsHash, projectionHash } = entry.remote
    const hashes = { sourceHash: article.sourceHash, fieldsHash, projectionHash }
    const ours = { key: article.key, fingerprint, ...hashes, isClaimed: true }
    return { ...entry, ours }
  })
}

function isWhatWeWouldSend({ remote }: RemoteEntry, wanted: WantedArticle): boolean {
  // While an original has no id, no article can name it.
  const isRelated = wanted.originalId !== '' && remote?.languageParent === wanted.originalId
  return remote !== undefined && isRelated && isAsWanted(remote, wanted)
}
