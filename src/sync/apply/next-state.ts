import {
  type ArticleRecord,
  type ForeignRecord,
  NOTHING_UNFINISHED,
  type TargetState,
} from '../../model/target-state.ts'
import type { RemoteEntry } from '../../plan/remote-entry.ts'
import type { Ledger } from './apply-context.ts'
import type { PlannedRun } from '../planning/planned-run.ts'
import { recordOfSent } from './sent-record.ts'

/** What is known after a run: what was known, what the plan found, and what was written. Pure. */
export function nextState(
  previous: TargetState,
  planned: PlannedRun,
  ledger: Ledger,
  settledTaxonomy: Readonly<Record<string, string>>,
): TargetState {
  const sentIds = new Set([...ledger.sent.values()].map(({ id }) => id))
  const isGone = (id: string) =>
    ledger.deletedIds.has(id) || sentIds.has(id) || planned.remote.goneIds.has(id)
  const sourceById = new Map([...planned.matches.entryOf].map(([source, { id }]) => [id, source]))
  // A second article of a document is remembered only where we know that we sent it: else it may be somebody's copy.
  const doubtful = new Set(planned.matches.doubles.filter(({ isKnown }) => isKnown !== true))
  const kept = planned.entries.flatMap((entry) =>
    isGone(entry.id) || doubtful.has(entry)
      ? []
      : recordOfEntry(ledger.moved.get(entry.id) ?? entry, sourceById.get(entry.id), planned),
  )
  const sent = [...ledger.sent.values()].map((each) => recordOfSent(each, each.id, each.isUnproven))
  return {
    isKnown: true,
    duplicateSlugs: ledger.duplicateSlugs,
    extensions: planned.extensions ?? previous.extensions,
    articles: [...kept, ...sent, ...ledger.putBack].toSorted((a, b) =>
      a.source < b.source ? -1 : a.source > b.source ? 1 : 0,
    ),
    foreign: planned.entries.flatMap((entry) => (isGone(entry.id) ? [] : foreignRecord(entry))),
    categoryIds: planned.categoryIds,
    tagIds: planned.tagIds,
    taxonomy: { ...previous.taxonomy, ...settledTaxonomy },
    unfinished: NOTHING_UNFINISHED,
  }
}

/** An article of ours that stays as it is. Its source is today's: the file may have been moved. */
function recordOfEntry(
  entry: RemoteEntry,
  source: string | undefined,
  { wanted }: PlannedRun,
): ArticleRecord[] {
  const { ours, id, title, slug, language, languageParent } = entry
  if (ours === undefined) return []
  const article = source === undefined ? undefined : wanted.get(source)?.article
  const { fingerprint, sourceHash, fieldsHash, projectionHash, editedMs, isUnproven } = ours
  const key = article?.key ?? ours.key
  return [
    {
      key,
      source: source ?? '',
      slug,
      language,
      title,
      id,
      fingerprint,
      sourceHash,
      fieldsHash,
      projectionHash,
      languageParent,
      editedMs,
      ...(isUnproven === true && { isUnproven }),
    },
  ]
}

function foreignRecord(entry: RemoteEntry): ForeignRecord[] {
  const { ours, id, title, slug, language, languageParent, project } = entry
  return ours === undefined ? [{ id, title, slug, language, languageParent, project }] : []
}
