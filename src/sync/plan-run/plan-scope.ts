import type { LocalArticle } from '../../core/model/document.ts'
import { type ArticleRecord, sortedBySource, type TargetState } from '../../core/model/target-state.ts'
import { effectOf, type Operation } from '../../core/model/plan.ts'
import { createExtensions, rememberExtensions } from '../remote/extensions.ts'
import type { CreatedTaxonomy, TargetSession } from '../target-session.ts'
import type { PlanInput, PlannedRun, Run, ReusableReads } from './planned-run.ts'
import type { ApiClient } from '../../api/client/create-client.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { SyncContentOptions } from '../sync-options.ts'
import { planOptions, makePlan } from './make-plan.ts'

/** Articles of which only the text has changed since the last plan. */
export interface PlanScope {
  readonly articles: readonly LocalArticle[]
  readonly reads: ReusableReads
}

/** @param last what an earlier plan saw over the same connection */
export function reusableReads(
  input: {
    readonly planned: PlannedRun
    readonly created: CreatedTaxonomy
    readonly session: TargetSession
    readonly state: TargetState
  },
  last: ReusableReads | undefined,
  nowMs: number,
): ReusableReads {
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
export function narrowInput(input: PlanInput, { articles: edited, reads }: PlanScope): PlanInput | undefined {
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
  return state && { ...input, articles, state, reads, created: reads.created, options }
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
  if (isInPlace) return { ...whole, articles: state.articles.map((record) => fresh.get(record.id) ?? record) }
  const past = new Set(narrow.articles.map(({ id }) => id))
  const others = state.articles.filter(({ id }) => !past.has(id))
  return { ...whole, articles: sortedBySource([...others, ...next.articles]) }
}

/** True if the plan has only updates in place and conflicts. All else must be planned with all other articles. */
export function isPlain({ plan }: PlannedRun): boolean {
  const isOfKind = (operation: Operation) => ['update', 'conflict'].includes(effectOf(operation))
  return plan.diagnostics.length === 0 && plan.operations.every(isOfKind)
}

/**
 * Plans only some articles of the content; undefined if everything must be planned.
 *
 * @throws KbError what the client throws
 */
export async function planScope(
  { articles, readHtml, taxonomy }: Pick<LoadedContent, 'articles' | 'readHtml' | 'taxonomy'>,
  { session: open, state }: Pick<Run, 'session' | 'state'>,
  scope: PlanScope,
  options: SyncContentOptions,
): Promise<Run | undefined> {
  const { created } = scope.reads
  // Nothing slow happens between the plan and the writes of these few articles.
  const session = { ...open, client: reuseReads(open.client) }
  const whole = { session, state, articles, readHtml, taxonomy, created, options: planOptions(options) }
  const input = narrowInput(whole, scope)
  if (input === undefined) return undefined
  // The created entries of the taxonomy files were reported by the run that created them.
  const reported = { ...created, categories: [], tags: [] }
  return { session, state: input.state, planned: await makePlan(input), created: reported, problems: [] }
}

/**
 * Returns a client that serves each article it has read one more time from memory, then reads it again. The plan and
 * the write check an article one after the other; if nothing happens in between, one request is enough.
 */
function reuseReads(client: ApiClient): ApiClient {
  const fresh = new Map<string, ReturnType<ApiClient['readArticle']>>()
  const used = new Set<string>()
  return {
    ...client,
    readArticle: (id) => {
      const last = fresh.get(id)
      fresh.delete(id)
      if (last !== undefined) return last
      const read = client.readArticle(id)
      if (!used.has(id)) fresh.set(id, read)
      used.add(id)
      return read
    },
  }
}
