import type { DesiredArticle } from '../model/document.ts'
import type { Operation } from '../model/plan.ts'
import type { RemoteArticle } from '../model/remote-article.ts'
import type { ArticlePlanOptions } from './article-plan-options.ts'
import { isAsSent, isAsSentTo } from './as-sent.ts'
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
  const keepers = new Map(wanted.map(({ article }) => [article.key, article]))
  return doubles.flatMap((entry) => {
    const article = keepers.get(entry.ours?.key ?? '')
    if (article === undefined || options.goneIds.has(entry.id)) return []
    return [planDouble(entry, { article, kept: entryOf.get(article.source) }, options)]
  })
}

/**
 * The surplus of two articles of one document goes only if it is, to the letter, what we sent for that document. What
 * was never named is told by its version: a target may have given it another slug.
 */
function planDouble(
  entry: RemoteEntry,
  { article, kept }: { readonly article: DesiredArticle; readonly kept: RemoteEntry | undefined },
  { knownIds, sentVersions, prune }: ArticlePlanOptions,
): Operation {
  const { id, slug, language, title, ours, remote } = entry
  const base = { kind: 'article', source: article.source, slug, language, id } as const
  const isProven = remote?.marker !== undefined || knownIds.has(id)
  const isUnnamed = ours !== undefined && sentVersions.has(`${ours.key} ${ours.fingerprint}`)
  const isAtItsPlace = slug === article.slug && title === article.title
  const isSentByUs = isUnnamed || knownIds.has(id)
  const isTwin = ours !== undefined && ours.fingerprint === kept?.ours?.fingerprint
  const isOfDocument = isProven && (isSentByUs || isTwin || isAtItsPlace || prune)
  const isUntouched =
    remote !== undefined &&
    remote.draftId === undefined &&
    ours !== undefined &&
    (isAsSent(remote, ours) || (isSentByUs && isDisplaced(remote, ours, article)))
  return isOfDocument && isUntouched && language === article.language
    ? { ...base, action: 'delete', reason: 'a second article of the same document' }
    : { ...base, action: 'skip', reason: 'a second article of the same document, left alone' }
}

/** Whether the target gave it another slug when it came, and nobody has touched it since. */
function isDisplaced(remote: RemoteArticle, ours: Ownership, { slug }: DesiredArticle): boolean {
  return isAsSentTo(slug, remote, ours) && !hasDrifted(ours, remote)
}
