import { versionOf } from '../../core/model/article-version.ts'
import {
  type ArticleRecord,
  type ForeignRecord,
  NOTHING_UNFINISHED,
  sortedBySource,
  type TargetState,
} from '../../core/model/target-state.ts'
import { hasDrifted, type RemoteEntry } from '../plan/remote-entry.ts'
import type { Ledger } from './apply-context.ts'
import type { PlannedRun, Run } from '../plan-run/planned-run.ts'
import { awaitedOfSent, recordOfSent } from './journaled-writes.ts'

/** The state after a run: the previous state, what the plan found and what was written. Pure. */
export function nextState(
  { state: previous, planned }: Pick<Run, 'state' | 'planned'>,
  ledger: Ledger,
  settledTaxonomy: Readonly<Record<string, string>>,
): TargetState {
  const sentIds = new Set([...ledger.sent.values()].flatMap(({ id }) => id ?? []))
  const isGone = (id: string) =>
    ledger.deletedIds.has(id) || sentIds.has(id) || planned.remote.goneIds.has(id)
  // An operation of a move that was not executed is planned again.
  const announced = planned.extensions.known()
  const { entryOf, movedFrom } = planned.matches
  const inPlace = [...entryOf].filter(([source]) => !movedFrom.has(source))
  const sourceById = new Map(inPlace.map(([source, { id }]) => [id, source]))
  const pastSources = new Map(previous.articles.map(({ id, source }) => [id, source]))
  // A duplicate is stored as ours only if we sent it. Otherwise it may be someone's copy, and every run checks it
  // again.
  const doubtful = new Set(planned.matches.duplicates.filter(({ isKnown }) => isKnown !== true))
  const kept = planned.entries.flatMap((entry) =>
    isGone(entry.id) || doubtful.has(entry)
      ? []
      : recordOfEntry(
          ledger.sentByOthers.get(entry.id) ?? ledger.moved.get(entry.id) ?? entry,
          { source: sourceById.get(entry.id), pastSource: pastSources.get(entry.id) },
          planned,
        ),
  )
  const sent = [...ledger.sent.values()]
  const named = sent.flatMap((each) => (each.id === undefined ? [] : [recordOfSent(each, each.id, each)]))
  const unnamed = sent.filter(({ id }) => id === undefined)
  return {
    isKnown: true,
    duplicateSlugs: ledger.duplicateSlugs,
    freesSlugs: ledger.freesSlugs,
    keepsComments: ledger.keepsComments,
    deletesAsStated: ledger.deletesAsStated,
    extensions: announced?.names ?? previous.extensions,
    extensionsAskedMs: announced?.askedMs ?? previous.extensionsAskedMs,
    languages: planned.remote.languages,
    articles: sortedBySource([...kept, ...named, ...ledger.restored]),
    awaited: [
      ...unnamed.map((each) => awaitedOfSent(each, each.isAccepted)),
      ...ledger.awaitedRestores,
      ...stillAwaited(previous, planned, ledger),
    ],
    foreign: planned.entries
      .filter((entry) => !isGone(entry.id) && (entry.ours === undefined || doubtful.has(entry)))
      .map((entry) => foreignRecord(entry, planned.plan.project)),
    categoryIds: planned.categoryIds,
    tagIds: planned.tagIds,
    taxonomy: { ...previous.taxonomy, ...settledTaxonomy },
    unfinished: NOTHING_UNFINISHED,
  }
}

/**
 * Articles that were sent but never seen. They may still appear, and without a marker only their record identifies
 * them. An article that the target has accepted is kept until the document's current version exists or was sent again.
 */
function stillAwaited(previous: TargetState, { entries, wanted }: PlannedRun, { sent }: Ledger) {
  const ours = entries.flatMap((entry) => entry.ours ?? [])
  const there = new Set(ours.map(versionOf))
  const now = [...sent.values()].map(({ wanted: { article, fingerprint } }) => ({
    key: article.key,
    fingerprint,
  }))
  const versions = new Set([...ours, ...now].map(versionOf))
  return previous.awaited.filter((article) => {
    const { key, source, isAccepted } = article
    const document = wanted.get(source)
    if (document === undefined || versions.has(versionOf(article))) return false
    const isThere = there.has(versionOf({ key, fingerprint: document.fingerprint }))
    return isAccepted !== true || !(isThere || sent.has(source))
  })
}

/** The record of an unchanged article. Its source is the current one: the file may have been moved or deleted. */
export function recordOfEntry(
  entry: RemoteEntry,
  { source, pastSource }: { readonly source: string | undefined; readonly pastSource?: string | undefined },
  { wanted }: Pick<PlannedRun, 'wanted'>,
): ArticleRecord[] {
  const { ours, id, title, slug, language, languageParent } = entry
  if (ours === undefined) return []
  const article = source === undefined ? undefined : wanted.get(source)?.article
  const { fingerprint, sourceHash, fieldsHash, projectionHash, htmlHash, editedMs, isUnproven } = ours
  const key = article?.key ?? ours.key
  return [
    {
      key,
      source: source ?? pastSource,
      slug,
      language,
      title,
      id,
      fingerprint,
      sourceHash,
      fieldsHash,
      projectionHash,
      htmlHash,
      languageParent,
      editedMs,
      ...(isUnproven === true && { isUnproven }),
      ...(ours.isClaimed === true && { isClaimed: true }),
      ...(ours.isPulled === true && { isPulled: true }),
      ...(isUndecided(entry) && { isUndecided: true }),
    },
  ]
}

/** True if the next run must read the article again: it was edited, has a draft, or another job may change it. */
function isUndecided({ remote, ours, isShared }: RemoteEntry): boolean {
  if (isShared === true) return true
  if (remote === undefined || ours === undefined) return false
  return remote.draftId !== undefined || hasDrifted(ours, remote)
}

/** @param ownProject project of an article that has our marker */
function foreignRecord(entry: RemoteEntry, ownProject: string): ForeignRecord {
  const { ours, id, title, slug, language, languageParent, project } = entry
  return { id, title, slug, language, languageParent, project: ours === undefined ? project : ownProject }
}
