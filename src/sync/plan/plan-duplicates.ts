import type { LocalArticle } from '../../core/model/document.ts'
import { versionOf } from '../../core/model/article-version.ts'
import { CONFLICT_REASONS, type ArticleOperation } from '../../core/model/plan.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import {
  hasDrifted,
  matchesLastSync,
  matchesLastSyncButSlug,
  type RemoteEntry,
  isRecognised,
} from './remote-entry.ts'
import type { Matches } from './match-articles.ts'
import type { ResolvedArticle } from './resolved-article.ts'
import { type Alterations, isAsStored, keepsTitle, learnAlterations } from './separate-copies.ts'
import type { ArticlePlanOptions } from './decide-change.ts'

/** Decides about further articles of one document, which two machines may have sent at the same time. */
export function planDuplicates(
  wanted: readonly ResolvedArticle[],
  { duplicates, entryOf, orphans }: Matches,
  options: ArticlePlanOptions,
): ArticleOperation[] {
  if (duplicates.length === 0) return []
  // A document that is not selected is not reported. For a deleted file, its copies are reported here.
  const documents = new Set(options.documentKeys)
  const keepers = new Map(wanted.map(({ article }) => [article.key, article]))
  const alterations = learnAlterations([...entryOf.values(), ...orphans, ...duplicates], () =>
    wanted.map(({ article }) => article.slug),
  )
  return duplicates.flatMap((entry) => {
    const article = keepers.get(entry.ours?.key ?? '')
    if (options.goneIds.has(entry.id)) return []
    if (article === undefined) return documents.has(entry.ours?.key ?? '') ? [] : [leaveCopy(entry)]
    return [planDuplicate(entry, { article, kept: entryOf.get(article.source), alterations }, options)]
  })
}

/** All articles of one document. */
interface Rivals {
  readonly article: LocalArticle
  readonly kept: RemoteEntry | undefined
  readonly alterations: Alterations
}

/**
 * Deletes a duplicate only if it is what we sent, as the target stores it. For an earlier version under another slug or
 * title, this cannot be decided without state: the file may have moved and left an article that only pruning may
 * delete. All others need a decision by a person.
 */
function planDuplicate(entry: RemoteEntry, rivals: Rivals, options: ArticlePlanOptions): ArticleOperation {
  const { id, slug, language, ours, remote } = entry
  // The state may contain an article that we never sent. That proves nothing.
  const isKnown = entry.isKnown === true && !isRecognised(ours)
  const { article } = rivals
  const base = { kind: 'article', source: article.source, slug, language, id } as const
  const isSentByUs = isKnown || (ours !== undefined && options.sentVersions.has(versionOf(ours)))
  const isProven = remote?.marker !== undefined || isKnown
  const isClosed = remote?.draftId === undefined && language === article.language
  if (!isProven || !isClosed || !isUntouched(entry, rivals, isSentByUs))
    return { ...base, action: 'conflict', reason: CONFLICT_REASONS.duplicate }
  const isAtItsPlace = slug === article.slug && entry.title === article.title
  return isSentByUs || isTwin(entry, rivals) || isAtItsPlace || options.prune
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
  // A manual copy may be altered like our own article; only an exact duplicate is certainly ours.
  return (isTwin(entry, rivals) && isSame(remote, rivals.kept?.remote)) || (isOurVersion && keepsTitle(entry))
}

function isTwin({ ours }: RemoteEntry, { kept }: Rivals): boolean {
  return ours?.fingerprint === kept?.ours?.fingerprint
}

function isSame(one: RemoteArticle, other: RemoteArticle | undefined): boolean {
  return one.fieldsHash === other?.fieldsHash && one.projectionHash === other.projectionHash
}

/** Reports a copy of one of our articles whose file is deleted. */
function leaveCopy({ id, slug, language }: RemoteEntry): ArticleOperation {
  const reason = 'a copy of a managed article, not changed'
  return { kind: 'article', action: 'skip', slug, language, id, reason }
}
