import type { DesiredArticle } from '../model/document.ts'
import { versionOf } from '../model/article-version.ts'
import type { Operation } from '../model/plan.ts'
import type { RemoteArticle } from '../model/remote-article.ts'
import type { ArticlePlanOptions } from './article-plan-options.ts'
import { isAsSent, isAsSentButForSlug } from './as-sent.ts'
import { hasDrifted } from './detect-drift.ts'
import type { Matches } from './match-articles.ts'
import type { WantedArticle } from './payload.ts'
import type { Ownership, RemoteEntry } from './remote-entry.ts'

/** What becomes of second articles of one document: two machines may have sent it at one time. */
export function planDoubles(
  wanted: readonly WantedArticle[],
  { doubles, entryOf }: Matches,
  options: ArticlePlanOptions,
): Operation[] {
  // Not what this run is about is not spoken of; a file that is gone has nobody else to speak of its copies.
  const documents = new Set(options.documentKeys)
  const keepers = new Map(wanted.map(({ article }) => [article.key, article]))
  return doubles.flatMap((entry) => {
    const article = keepers.get(entry.ours?.key ?? '')
    if (options.goneIds.has(entry.id)) return []
    if (article === undefined) return documents.has(entry.ours?.key ?? '') ? [] : [leaveCopy(entry)]
    return [planDouble(entry, { article, kept: entryOf.get(article.source) }, options)]
  })
}

/**
 * The surplus of two articles of one document goes only if it is, to the letter, what we sent: as its marker says, or
 * state or journal. Of an earlier version, under another slug or title, it cannot be told without state whether it is no
 * more than that: the file may have moved, and left an article that nobody but pruning may delete.
 */
function planDouble(
  entry: RemoteEntry,
  { article, kept }: { readonly article: DesiredArticle; readonly kept: RemoteEntry | undefined },
  { sentVersions, prune }: ArticlePlanOptions,
): Operation {
  const { id, slug, title, language, ours, remote, isKnown = false } = entry
  const base = { kind: 'article', source: article.source, slug, language, id } as const
  const isSentByUs = isKnown || (ours !== undefined && sentVersions.has(versionOf(ours)))
  const isProven = remote?.marker !== undefined || isKnown
  const isUntouched =
    remote !== undefined &&
    remote.draftId === undefined &&
    ours !== undefined &&
    (isAsSent(remote, ours) || (isSentByUs && isDisplaced(remote, ours)))
  if (!isProven || !isUntouched || language !== article.language)
    return { ...base, action: 'skip', reason: 'a second article of the same document, left alone' }
  const isTwin = ours.fingerprint === kept?.ours?.fingerprint
  const isAtItsPlace = slug === article.slug && title === article.title
  return isSentByUs || isTwin || isAtItsPlace || prune
    ? { ...base, action: 'delete', reason: 'a second article of the same document' }
    : { ...base, action: 'skip', reason: 'an earlier version of the same document; --prune deletes it' }
}

/** Somebody has made it from an article of ours whose file is gone. */
function leaveCopy({ id, slug, language }: RemoteEntry): Operation {
  const reason = 'a copy of an article of ours, left alone'
  return { kind: 'article', action: 'skip', source: '', slug, language, id, reason }
}

/** Whether the target gave it another slug when it came, and nobody has touched it since. */
function isDisplaced(remote: RemoteArticle, ours: Ownership): boolean {
  return isAsSentButForSlug(remote, ours) && !hasDrifted(ours, remote)
}
