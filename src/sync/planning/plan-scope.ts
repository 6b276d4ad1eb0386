import type { LocalArticle } from '../../core/model/document.ts'
import { type ArticleRecord, sortedBySource, type TargetState } from '../../core/model/target-state.ts'
import { effectOf, type Operation } from '../../core/model/plan.ts'
import { createExtensions, rememberExtensions } from '../remote/extensions.ts'
import type { CreatedTaxonomy, TargetSession } from '../target-session.ts'
import type { PlanInput, PlannedRun, SeenTarget } from './planned-run.ts'

/** Articles of which only the text has changed since the last plan. */
export interface PlanScope {
  readonly articles: readonly LocalArticle[]
  readonly seen: SeenTarget
}

/** @param last what an earlier plan saw over the same connection */
export function seenBy(
  input: {
    readonly planned: PlannedRun
    readonly created: CreatedTaxonomy
    readonly session: TargetSession
    readonly state: TargetState
  },
  last: SeenTarget | undefined,
  nowMs: number,
): SeenTarget {
  const { planned, created, session, state } = input
  const { categories, languages, articleLimit } = planned.remote
  const announced = planned.extensions.known() ?? last?.extensions.known()
  const extensions = createExtensions(session.client, state, { nowMs, verify: false })
  return {
    lists: { categories, languages, articleLimit },
    extensions: announced === undefined ? extensions : rememberExtensions(announced),
    created,
  }
}

/**
 * Returns the input for a scope: its articles, the originals of translations among them, and what is known of both.
 * Undefined if only a plan of everything is safe. Pure.
 */
export function narrowInput(input: PlanInput, { articles: edited, seen }: PlanScope): PlanInput | undefined {
  const sources = new Set(edited.map(({ source }) => source))
  const originalSources = new Set(edited.flatMap(({ original }) => original ?? []))
  const originals =
    originalSources.size === 0
      ? []
      : input.articles.filter(({ source }) => originalSources.has(source) && !sources.has(source))
  const articles = [...edited, ...originals]
  const state = narrowState(input.state, articles)
  const isSelected = (source: string) => sources.has(source)
  // The write reuses what the plan reads, see `planScope`.
  const options = { ...input.options, isSelected, readsBeforeWrite: false }
  return state && { ...input, articles, state, seen, created: seen.created, options }
}

/** Undefined if an article must be searched for, or the result of a write is unknown. */
export function narrowState(state: TargetState, wanted: readonly LocalArticle[]): TargetState | undefined {
  const sources = new Set(wanted.map(({ source }) => source))
  const entries = state.articles.flatMap((record) =>
    record.source !== undefined && sources.has(record.source) ? [[record.source, record] as const] : [],
  )
  const bySource = new Map(entries)
  const isInPlace = wanted.every((article) => standsAsItIs(article, bySource))
  const isAwaited = state.awaited.some(({ source }) => sources.has(source))
  // If a document has two articles, the full planner decides which one stays.
  const isSingle = entries.length === wanted.length && !isAwaited
  const articles = entries.map(([, record]) => record)
  return isInPlace && isSingle ? { ...state, articles, awaited: [], foreign: [] } : undefined
}

function standsAsItIs(article: LocalArticle, records: ReadonlyMap<string, ArticleRecord>): boolean {
  const record = records.get(article.source)
  if (record === undefined || record.isUndecided === true) return false
  const { key, slug, language, languageParent = '' } = record
  if (key !== article.key || slug !== article.slug || language !== article.language) return false
  const original = article.original === undefined ? undefined : records.get(article.original)
  return languageParent === (original?.id ?? '')
}

/** Merges the result of a run on a part of the state into the whole state. Pure. */
export function widenState(state: TargetState, narrow: TargetState, next: TargetState): TargetState {
  const whole = {
    ...next,
    foreign: [...state.foreign, ...next.foreign],
    awaited: [...state.awaited, ...next.awaited],
  }
  const fresh = new Map(next.articles.map((record) => [record.id, record]))
  const isInPlace =
    next.articles.length === narrow.articles.length &&
    narrow.articles.every(({ id, source }) => fresh.get(id)?.source === source)
  // Preserves the order of thousands of articles.
  if (isInPlace) {
    return { ...whole, articles: state.articles.map((record) => fresh.get(record.id) ?? record) }
  }
  const past = new Set(narrow.articles.map(({ id }) => id))
  const others = state.articles.filter(({ id }) => !past.has(id))
  return { ...whole, articles: sortedBySource([...others, ...next.articles]) }
}

/** True if the plan has only updates in place and conflicts. All else must be planned with all other articles. */
export function isPlain({ plan }: PlannedRun): boolean {
  const isOfKind = (operation: Operation) => ['update', 'conflict'].includes(effectOf(operation))
  return plan.diagnostics.length === 0 && plan.operations.every(isOfKind)
}
