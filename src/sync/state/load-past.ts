import type { SentVersion } from '../../content/pipeline/build-corpus.ts'
import { UNKNOWN_VERSION } from '../../core/model/article-version.ts'
import type { ArticleRecord, RemovedArticle, TargetState } from '../../core/model/target-state.ts'
import { type JournalEntry, readJournal } from './journal.ts'
import { loadForeign, loadState } from './state-file.ts'
import type { StateFiles } from './workspace.ts'
import { groupBy } from '../../core/group-by.ts'

/** Loads what earlier runs, including interrupted ones, know about a target. */
export function loadPast(files: StateFiles, project: string): TargetState {
  return recoverState(loadWritten(files, project), readJournal(files.journal))
}

/** Returns the last sent version of each article, by source. Pure. */
export function listSent({ articles, awaited, unfinished }: TargetState): ReadonlyMap<string, SentVersion> {
  const versions = [
    ...unfinished.removed.map(({ fields: { slug, title }, ...each }) => ({ ...each, slug, title })),
    ...awaited,
    ...articles,
  ]
  return new Map(
    versions.flatMap(({ source, key, slug, language, title }) =>
      source === undefined ? [] : [[source, { key, slug, language, title }] as const],
    ),
  )
}

/** Loads the state file. Two projects of one folder share it: the articles of one are foreign to the other. */
export function loadWritten({ state: file }: Pick<StateFiles, 'state'>, project: string): TargetState {
  const state = loadState(file, project)
  return state.isKnown ? state : { ...state, foreign: loadForeign(file, project) }
}

/**
 * Combines the state with the journal of an interrupted run: articles that it sent, changed or deleted. Later, the
 * results are found on the target. Pure.
 */
function recoverState(state: TargetState, entries: readonly JournalEntry[]): TargetState {
  const open = entries.filter(({ outcome }) => outcome !== 'refused')
  if (open.length === 0) return state
  const writes = open.map(({ write }) => write)
  const sent = open.flatMap(({ write, outcome }) =>
    write.kind === 'create' ? [{ ...write.record, ...(outcome === 'done' && { isAccepted: true }) }] : [],
  )
  const updated = writes.flatMap((write) => (write.kind === 'update' ? [write.record] : []))
  const deletes = writes.flatMap((write) => (write.kind === 'delete' ? [write] : []))
  const left = writes.flatMap((write) => (write.kind === 'unreplaced' ? [write.removed] : []))
  return {
    ...state,
    articles: [...state.articles, ...unknownTo(state, updated)],
    awaited: [...state.awaited, ...sent],
    unfinished: {
      writes: open.length - left.length,
      sent,
      updates: groupBy(updated.toReversed(), ({ id }) => id),
      deletedIds: new Set(deletes.map(({ id }) => id)),
      removed: latestOfEach([...left, ...deletes.flatMap(({ removed }) => removed ?? [])]),
    },
  }
}

/**
 * Returns articles that were updated in place and that only the journal knows, because the state was lost, or not
 * written since they were created. It is unknown which version is on the target, so neither counts as sent.
 */
function unknownTo({ articles }: TargetState, updated: readonly ArticleRecord[]): ArticleRecord[] {
  const known = new Set(articles.map(({ id }) => id))
  const records = updated.filter(({ id }) => !known.has(id))
  const { fingerprint } = UNKNOWN_VERSION
  return [...new Map(records.map((record) => [record.id, { ...record, fingerprint }])).values()]
}

/** Returns the last deleted version of each document's article. */
function latestOfEach(removed: readonly RemovedArticle[]): RemovedArticle[] {
  return [...new Map(removed.map((article) => [article.key, article])).values()]
}
