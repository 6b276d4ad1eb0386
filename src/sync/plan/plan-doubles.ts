import type { LocalArticle } from '../../core/model/document.ts'
import { versionOf } from '../../core/model/article-version.ts'
import { CONFLICT_REASONS, type ArticleOperation } from '../../core/model/plan.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { hasDrifted, matchesLastSync, matchesLastSyncButSlug } from './detect-drift.ts'
import type { Matches } from './match-articles.ts'
import type { ResolvedArticle } from './payload.ts'
import { type RemoteEntry, isUnsent } from './remote-entry.ts'
import { type Alterations, isAsStored, keepsTitle, learnAlterations } from './set-copies-aside.ts'
import type { ArticlePlanOptions } from './decide-change.ts'

/** What becomes of second articles of one document: two machines may have sent it at one time. */
export function planDoubles(
  wanted: readonly ResolvedArticle[],
  { doubles, entryOf, orphans }: Matches,
  options: ArticlePlanOptions,
): ArticleOperation[] {
  // Not what this run is about is not spoken of; a file that is gone has no one else to speak of its copies.
  const documents = new Set(options.documentKeys)
  const keepers = new Map(wanted.map(({ article }) => [article.key, article]))
  const alterations = learnAlterations([...entryOf.values(), ...orphans, ...doubles], () =>
    wanted.map(({ article }) => article.slug),
  )
  return doubles.flatMap((entry) => {
    const article = keepers.get(entry.ours?.key ?? '')
    if (options.goneIds.has(entry.id)) return []
    if (article === undefined) return documents.has(entry.ours?.key ?? '') ? [] : [leaveCopy(entry)]
    return [planDouble(entry, { article, kept: entryOf.get(article.source), alterations }, options)]
  })
}

/** The surplus of one document. */
interface Rivals {
  readonly article: LocalArticle
  readonly kept: RemoteEntry | undefined
  readonly alterations: Alterations
}

/**
 * The surplus of two articles of one document goes only if it is what we sent, as the target stores it. Of an earlier
 * version, under another slug or title, it cannot be told without state whether it is no more than that: the file may
 * have moved, and left an article that only pruning may delete. A person has to decide on all others.
 */
function planDouble(
  entry: RemoteEntry,
  rivals: Rivals,
  { sentVersions, prune }: ArticlePlanOptions,
): ArticleOperation {
  const { id, slug, language, ours, remote } = entry
  // That state knows an article proves nothing where we never sent it.
  const isKnown = entry.isKnown === true && !isUnsent(ours)
  const { article } = rivals
  const base = { kind: 'article', source: article.source, slug, language, id } as const
  const isSentByUs = isKnown || (ours !== undefined && sentVersions.has(versionOf(ours)))
  const isProven = remote?.marker !== undefined || isKnown
  const isClosed = remote?.draftId === undefined && language === article.language
  if (!isProven || !isClosed || !isUntouched(entry, rivals, isSentByUs))
    return { ...base, action: 'conflict', reason: CONFLICT_REASONS.double }
  const isAtItsPlace = slug === article.slug && entry.title === article.title
  return isSentByUs || isTwin(entry, rivals) || isAtItsPlace || prune
    ? { ...base, action: 'delete-copy', reason: 'a second article for the same document' }
    : { ...base, action: 'conflict', reason: CONFLICT_REASONS.earlier }
}

function isUntouched(entry: RemoteEntry, rivals: Rivals, isSentByUs: boolean): boolean {
  const { remote, ours } = entry
  if (remote === undefined || ours === undefined) return false
  if (matchesLastSync(remote, ours)) return true
  if (hasDrifted(ours, remote)) return false
  const isOurVersion = isAsStored(entry, rivals.alterations, rivals.kept)
  if (isSentByUs) return isOurVersion || matchesLastSyncButSlug(remote, ours)
  // A copy made by hand may have been altered like our own: what stands there twice, letter for letter, is ours.
  return (isTwin(entry, rivals) && isSame(remote, rivals.kept?.remote)) || (isOurVersion && keepsTitle(entry))
}

function isTwin({ ours }: RemoteEntry, { kept }: Rivals): boolean {
  return ours?.fingerprint === kept?.ours?.fingerprint
}

function isSame(one: RemoteArticle, other: RemoteArticle | undefined): boolean {
  return one.fieldsHash === other?.fieldsHash && one.projectionHash === other.projectionHash
}

/** Someone has made it from an article of this project whose file is gone. */
function leaveCopy({ id, slug, language }: RemoteEntry): ArticleOperation {
  const reason = 'a copy of a managed article, not changed'
  return { kind: 'article', action: 'skip', slug, language, id, reason }
}
