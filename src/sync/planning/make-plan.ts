import { explainRecovery } from '../plan/explain-recovery.ts'
import { planPutBacks } from '../plan/plan-put-backs.ts'
import type { TaxonomyPlan } from '../plan/taxonomy/plan-taxonomy.ts'
import type { TaxonomyIndex } from '../plan/taxonomy/taxonomy-index.ts'
import { askLanguages, type Languages } from './ask-languages.ts'
import { planWithOffers } from './plan-with-offers.ts'
import type { PlanInput, PlannedRun } from './planned-run.ts'
import { readRemoteIndex } from '../remote/read-remote.ts'
import { refreshMatches } from '../remote/refresh-matches.ts'
import { categoryIdsOf, compareTaxonomy, resolveTaxonomy } from './resolve-taxonomy.ts'

/** Reads the target as far as needed and plans. Writes nothing. */
export async function makePlan(input: PlanInput): Promise<PlannedRun> {
  return planWith(input, await askLanguages(input), (index) => compareTaxonomy(input, index))
}

/** Plans with what the lists have shown. @param planTaxonomy what is to become of categories and tags */
export async function planWith(
  input: PlanInput,
  languages: Languages,
  planTaxonomy: (index: TaxonomyIndex) => Promise<TaxonomyPlan>,
): Promise<PlannedRun> {
  const { session, state, options } = input
  const { sendable } = languages.split(undefined)
  const found = await readRemoteIndex(session.client, languages.lists, {
    ...options,
    articles: sendable,
    state,
    findOrphans: options.prune,
  })
  const { tagIds, index, resolved, remote } = await resolveTaxonomy(input, sendable, found)
  const refreshed = await refreshMatches({
    client: session.client,
    state,
    documents: input.articles,
    wanted: resolved.wanted,
    remote,
    storesAsSent: session.storesAsSent,
    options,
  })
  const articles = await planWithOffers(input, remote, refreshed, languages)
  const putBacks = planPutBacks({
    ...options,
    removed: state.unfinished.removed,
    entries: refreshed.entries.filter(({ id }) => !remote.goneIds.has(id)),
    documents: input.articles,
    operations: articles.operations,
  })
  const taxonomy = await planTaxonomy(index)
  return {
    plan: {
      version: 1,
      project: options.project,
      target: session.name,
      operations: [
        ...taxonomy.steps.map(({ operation }) => operation),
        ...articles.operations,
        ...putBacks.operations,
      ],
      unchanged: { articles: articles.unchanged, taxonomy: taxonomy.unchanged },
      orphans: articles.orphans,
      diagnostics: [...resolved.diagnostics, ...articles.diagnostics],
    },
    wanted: new Map(refreshed.wanted.map((each) => [each.article.source, each])),
    matches: refreshed.matches,
    entries: refreshed.entries,
    keepsComments: refreshed.keepsComments,
    offers: articles.offers,
    extensions: languages.extensions.known(),
    taxonomy,
    categoryIds: categoryIdsOf(input.taxonomy, index),
    tagIds,
    remote,
    removed: putBacks.open,
    recovery: explainRecovery(state, refreshed.entries),
  }
}
