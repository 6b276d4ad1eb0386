import type { DesiredArticle } from '../model/document.ts'
import type { Plan } from '../model/plan.ts'
import type { LocalTaxonomy } from '../model/taxonomy.ts'
import type { TargetState } from '../model/target-state.ts'
import type { Matches } from '../plan/match-articles.ts'
import { ALL_OFFERS, NO_OFFERS, type Offers } from '../plan/offers.ts'
import type { WantedArticle } from '../plan/payload.ts'
import { planArticles } from '../plan/plan-articles.ts'
import { planTaxonomy, type TaxonomyPlan } from '../plan/plan-taxonomy.ts'
import type { RemoteEntry } from '../plan/remote-entry.ts'
import { resolveReferences } from '../plan/resolve-references.ts'
import {
  asksForLanguages,
  explainWithheld,
  planWithheld,
  type SplitLanguages,
  splitLanguages,
} from '../plan/split-languages.ts'
import { createTaxonomyIndex, type TaxonomyIndex } from '../plan/taxonomy-index.ts'
import { createExtensions, type Extensions } from './extensions.ts'
import { readRemoteIndex, readRemoteLists, type RemoteIndex, type RemoteLists } from './read-remote.ts'
import { readTagsToCompare } from './read-tags.ts'
import { type Refreshed, refreshMatches } from './refresh-matches.ts'
import type { CreatedTaxonomy, TargetSession } from './target-session.ts'

export interface PlanOptions {
  readonly project: string
  readonly defaultLanguage: string
  /** Path of the content folder as diagnostics name it. */
  readonly contentPrefix: string
  readonly taxonomyMode: 'check' | 'update'
  readonly prune: boolean
  readonly overwriteDrift: boolean
  readonly adopt: ReadonlySet<string>
  /** Reads every article of ours, to find edits also where nothing is to be sent. */
  readonly verify: boolean
  readonly maxGone: (known: number) => number
  /** Whether this run is about an article. */
  readonly isSelected: (source: string) => boolean
}

export interface PlanInput {
  readonly session: TargetSession
  readonly state: TargetState
  readonly articles: readonly DesiredArticle[]
  readonly taxonomy: LocalTaxonomy
  /** Ids of what the target has just made of the taxonomy files. */
  readonly created: Pick<CreatedTaxonomy, 'categoryIds' | 'tagIds'>
  readonly options: PlanOptions
}

/** A plan together with what its execution needs to look up. */
export interface PlannedRun {
  readonly plan: Plan
  /** By source. */
  readonly wanted: ReadonlyMap<string, WantedArticle>
  readonly matches: Matches
  readonly entries: readonly RemoteEntry[]
  readonly offers: Offers
  /** What the target announced; undefined where it was not asked. */
  readonly extensions: readonly string[] | undefined
  readonly taxonomy: TaxonomyPlan
  readonly categoryIds: Readonly<Record<string, string>>
  readonly tagIds: Readonly<Record<string, string>>
  readonly remote: RemoteIndex
}

/** Reads the target as far as needed and plans. Writes nothing. */
export async function makePlan(input: PlanInput): Promise<PlannedRun> {
  const { session, state, options } = input
  const languages = await askLanguages(input)
  const { sendable } = languages.split(undefined)
  const remote = await readRemoteIndex(session.client, languages.lists, {
    ...options,
    articles: sendable,
    state,
    findOrphans: options.prune,
  })
  const tagIds = { ...state.tagIds, ...tagIdsOf(remote.entries), ...input.created.tagIds }
  const index = createTaxonomyIndex({
    local: input.taxonomy,
    categories: remote.categories,
    categoryIds: { ...state.categoryIds, ...input.created.categoryIds },
    tagIds,
    target: session.name,
    createsMissing: session.createTaxonomy !== undefined,
  })
  const resolved = resolveReferences(sendable, index, {
    ...options,
    createsMissing: session.createTaxonomy !== undefined,
  })
  const refreshed = await refreshMatches({
    client: session.client,
    state,
    documents: input.articles,
    wanted: resolved.wanted,
    remote,
    options,
  })
  const articles = await planWithOffers(input, remote, refreshed, languages)
  const taxonomy = await comparePlan(input, index)
  return {
    plan: {
      version: 1,
      project: options.project,
      target: session.name,
      operations: [...taxonomy.steps.map(({ operation }) => operation), ...articles.operations],
      unchanged: { articles: articles.unchanged, taxonomy: taxonomy.unchanged },
      orphans: articles.orphans,
      diagnostics: [...resolved.diagnostics, ...articles.diagnostics],
    },
    wanted: new Map(refreshed.wanted.map((each) => [each.article.source, each])),
    matches: refreshed.matches,
    entries: refreshed.entries,
    offers: articles.offers,
    extensions: languages.extensions.known(),
    taxonomy,
    categoryIds: categoryIdsOf(input.taxonomy, index),
    tagIds,
    remote,
  }
}

interface Languages {
  readonly lists: RemoteLists
  readonly extensions: Extensions
  /** Undefined where nothing made it necessary to ask yet. */
  readonly offers: Offers | undefined
  /** What the target takes; with `late`, as it turned out after all. */
  readonly split: (late: Offers | undefined) => SplitLanguages
}

/** Asks for the lists, and for the extensions where a document in another language is not on the target yet. */
async function askLanguages({ session, state, articles, options }: PlanInput): Promise<Languages> {
  const extensions = createExtensions(session.client, state)
  const knownKeys = new Set(state.articles.map(({ key }) => key))
  const [lists, offers] = await Promise.all([
    readRemoteLists(session.client, options.defaultLanguage),
    asksForLanguages(articles, knownKeys, options.isSelected) ? extensions.ask() : undefined,
  ])
  const enabled = lists.languages
  const split = (late: Offers | undefined) =>
    splitLanguages(articles, { offers: offers ?? late, enabled, knownKeys })
  return { lists, extensions, offers, split }
}

/**
 * Plans as if everything were on offer; only where that shows something which an extension would do is the target asked,
 * and planned again with its answer.
 */
async function planWithOffers(
  { session, state, options }: PlanInput,
  { goneIds, languages: enabled }: RemoteIndex,
  { wanted, matches, entries }: Refreshed,
  languages: Languages,
) {
  const knownIds = new Set(state.articles.map(({ id }) => id))
  const planWith = (offers: Offers) => {
    const { sendable, withheld } = languages.split(offers)
    const taken = new Set(sendable.map(({ source }) => source).filter(options.isSelected))
    const selected = wanted.filter(({ article }) => taken.has(article.source))
    const plan = planArticles(selected, matches, entries, { ...options, goneIds, knownIds, offers })
    return { plan, withheld: withheld.filter(({ article }) => options.isSelected(article.source)) }
  }
  const bold = planWith(languages.offers ?? ALL_OFFERS)
  const related = new Set(
    wanted.flatMap(({ originalId, article }) => (originalId === undefined ? [] : [article.source])),
  )
  const isNeeded = bold.plan.operations.some(
    ({ action, language, source }) =>
      action === 'update' || (action === 'create' && (language !== null || related.has(source))),
  )
  const offers = languages.offers ?? (isNeeded ? await languages.extensions.ask() : NO_OFFERS)
  const { plan, withheld } = isNeeded && languages.offers === undefined ? planWith(offers) : bold
  const wording = { ...options, enabled, isBuiltin: session.createTaxonomy !== undefined }
  return {
    ...plan,
    offers,
    operations: [...plan.operations, ...withheld.map(planWithheld)],
    diagnostics: withheld.map((each) => explainWithheld(each, wording)),
  }
}

function categoryIdsOf({ categories = [] }: LocalTaxonomy, index: TaxonomyIndex): Record<string, string> {
  return Object.fromEntries(
    categories.flatMap((entry) => {
      const remote = index.remoteOf(entry)
      const isFound = remote !== undefined && remote !== 'ambiguous'
      return isFound && entry.slug !== undefined ? [[entry.slug, remote.id] as const] : []
    }),
  )
}

/** The interface lists no tags; articles name theirs. */
function tagIdsOf(entries: readonly RemoteEntry[]): Record<string, string> {
  const tags = entries.flatMap(({ remote }) => remote?.tags ?? [])
  return Object.fromEntries(tags.map(({ name, id }) => [name, id]))
}

async function comparePlan(
  { session, state, taxonomy, options }: PlanInput,
  index: TaxonomyIndex,
): Promise<TaxonomyPlan> {
  const tags = taxonomy.tags ?? []
  return planTaxonomy({
    categories: taxonomy.categories ?? [],
    tags,
    index,
    remoteTags: await readTagsToCompare(session.client, tags, index, state.taxonomy),
    known: state.taxonomy,
    mode: options.taxonomyMode,
    createsMissing: session.createTaxonomy !== undefined,
    defaultLanguage: options.defaultLanguage,
  })
}
