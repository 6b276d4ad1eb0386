import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { effectOf, type Operation } from '../../core/model/plan.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { TaxonomyPlan } from '../../sync/plan/taxonomy/plan-taxonomy.ts'
import { toLanguages } from '../../sync/planning/ask-languages.ts'
import { planFor } from '../../sync/planning/make-plan.ts'
import { planOptions } from '../../sync/planning/plan-options.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'
import type { Run } from '../../sync/plan-content.ts'
import type { SyncContentOptions } from '../../sync/sync-options.ts'
import type { TargetSession } from '../../sync/target-session.ts'
import { narrowState } from './narrow-state.ts'
import type { TargetCache } from './target-cache.ts'

const AS_IT_IS: TaxonomyPlan = { steps: [], unchanged: 0, settled: {} }

/**
 * Plans a few articles of which nothing but their own text changed: with the planner of every run, but with what the
 * last one saw in the lists. Undefined where anything but updates in place comes of it.
 *
 * @throws KbError what the client throws
 */
export async function planEdited(
  content: LoadedContent,
  articles: readonly LocalArticle[],
  known: {
    readonly session: TargetSession
    readonly state: TargetState
    readonly recollection: TargetCache
  },
  options: SyncContentOptions,
): Promise<Run | undefined> {
  const { session, recollection } = known
  const originals = originalsOf(articles, content)
  const state = narrowState(known.state, articles, originals)
  if (state === undefined) return undefined
  const { extensions, created } = recollection
  const offers = await extensions.ask()
  if (!offers.update) return undefined
  const edited = new Set(articles.map(({ source }) => source))
  const input = {
    session,
    state,
    articles: [...articles, ...originals],
    taxonomy: content.taxonomy,
    created,
    options: {
      ...planOptions(options),
      isSelected: (source: string) => edited.has(source),
      // What the plan reads is handed to the write: see readOnce.
      readsBeforeWrite: false,
    },
  }
  const lists = { ...recollection.lists, dated: listedAs(state) }
  const languages = toLanguages(input, { lists, extensions, offers })
  const planned = await planFor(input, languages, () => Promise.resolve(AS_IT_IS))
  // Of what is created in this run, the taxonomy files' part was reported when it was.
  return isPlain(planned)
    ? { session, state, planned, created: { ...created, categories: [], tags: [] } }
    : undefined
}

/** Originals of translations that are not edited themselves. */
function originalsOf(articles: readonly LocalArticle[], content: LoadedContent): readonly LocalArticle[] {
  const sources = new Set(articles.flatMap(({ original }) => original ?? []))
  for (const { source } of articles) sources.delete(source)
  return sources.size === 0 ? [] : content.articles.filter(({ source }) => sources.has(source))
}

/** The lists as they would show what is known; each article is read before it is written anyway. */
function listedAs({ articles }: TargetState) {
  return articles.map(({ id, title, language }) => ({ id, title, language, fromReviewDates: true }))
}

function isPlain({ plan }: PlannedRun): boolean {
  const isOfKind = (operation: Operation) => ['update', 'conflict'].includes(effectOf(operation))
  return plan.diagnostics.length === 0 && plan.operations.every(isOfKind)
}
