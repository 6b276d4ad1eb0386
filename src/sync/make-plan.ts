import type { Diagnostic } from '../model/diagnostic.ts'
import type { DesiredArticle } from '../model/document.ts'
import type { Operation, Plan } from '../model/plan.ts'
import type { LocalTaxonomy } from '../model/taxonomy.ts'
import type { TargetState } from '../model/target-state.ts'
import { claimUnmarked } from '../plan/claim-unmarked.ts'
import { type Matches, matchArticles } from '../plan/match-articles.ts'
import type { WantedArticle } from '../plan/payload.ts'
import { planArticles } from '../plan/plan-articles.ts'
import { planTaxonomy, type TaxonomyPlan } from '../plan/plan-taxonomy.ts'
import { entryOfRemote, type RemoteEntry } from '../plan/remote-entry.ts'
import { resolveReferences } from '../plan/resolve-references.ts'
import { createTaxonomyIndex, type TaxonomyIndex } from '../plan/taxonomy-index.ts'
import { readRemoteArticle, readRemoteIndex, type RemoteIndex } from './read-remote.ts'
import { readTagsToCompare } from './read-tags.ts'
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
  readonly taxonomy: TaxonomyPlan
  readonly categoryIds: Readonly<Record<string, string>>
  readonly tagIds: Readonly<Record<string, string>>
  readonly remote: RemoteIndex
}

/** Reads the target as far as needed and plans. Writes nothing. */
export async function makePlan(input: PlanInput): Promise<PlannedRun> {
  const { session, state, options } = input
  const { sent, skipped } = splitLanguages(input.articles, options)
  const remote = await readRemoteIndex(session.client, {
    ...options,
    articles: sent,
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
  const resolved = resolveReferences(sent, index, {
    ...options,
    createsMissing: session.createTaxonomy !== undefined,
  })
  const claimed = claimUnmarked(remote.entries, resolved.wanted)
  const selected = resolved.wanted.filter(({ article }) => options.isSelected(article.source))
  const { matches, entries } = await refresh(
    input,
    { sent, wanted: resolved.wanted, selected },
    claimed,
    remote,
  )
  const knownIds = new Set(state.articles.map(({ id }) => id))
  const { goneIds } = remote
  const articles = planArticles(selected, matches, entries, { ...options, goneIds, knownIds })
  const taxonomy = await comparePlan(input, index)
  const operations = [...taxonomy.steps.map(({ operation }) => operation), ...articles.operations]
  return {
    plan: {
      version: 1,
      project: options.project,
      target: session.name,
      operations: [...operations, ...skipped.map(skipLanguage)],
      unchanged: { articles: articles.unchanged, taxonomy: taxonomy.unchanged },
      orphans: articles.orphans,
      diagnostics: [...resolved.diagnostics, ...skipped.map((article) => languageNotSent(article, options))],
    },
    wanted: new Map(resolved.wanted.map((each) => [each.article.source, each])),
    matches,
    entries,
    taxonomy,
    categoryIds: categoryIdsOf(input.taxonomy, index),
    tagIds,
    remote,
  }
}

/** The nine operations know no language of an article: documents in another one stay here. */
function splitLanguages(articles: readonly DesiredArticle[], options: PlanOptions) {
  return {
    sent: articles.filter(({ language }) => language === null),
    skipped: articles.filter((article) => article.language !== null && options.isSelected(article.source)),
  }
}

function skipLanguage({ source, slug, language }: DesiredArticle): Operation {
  const reason = 'the target does not offer languages'
  return { kind: 'article', action: 'skip', source, slug, language, id: '', reason }
}

function languageNotSent(
  { source, language, positions }: DesiredArticle,
  { contentPrefix }: PlanOptions,
): Diagnostic {
  return {
    code: 'language-not-sent',
    severity: 'warning',
    file: `${contentPrefix}${source}`,
    ...(positions['language'] ?? { line: 1, column: 1 }),
    message: `The target does not offer languages, so this article in "${language}" is not sent.`,
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

/** Matches, then reads afresh every article with which something is to be done, and matches what was read. */
async function refresh(
  { session, options, state }: PlanInput,
  {
    sent,
    wanted,
    selected,
  }: Record<'wanted' | 'selected', readonly WantedArticle[]> & { readonly sent: readonly DesiredArticle[] },
  entries: readonly RemoteEntry[],
  { goneIds }: RemoteIndex,
): Promise<{ matches: Matches; entries: readonly RemoteEntry[] }> {
  const fingerprints = new Map(wanted.map((each) => [each.article.source, each.fingerprint]))
  const matches = matchArticles(sent, entries, fingerprints, goneIds)
  const records = new Map(state.articles.map((record) => [record.id, record]))
  const toRead = selected.flatMap((each) => {
    const entry = matches.entryOf.get(each.article.source)
    const isOfInterest = options.verify || entry?.ours?.fingerprint !== each.fingerprint
    return entry !== undefined && isOfInterest ? [entry] : []
  })
  // A foreign article that stands in the way may have moved on since it was last read.
  const slugs = new Set(selected.map(({ article }) => article.slug))
  const inTheWay = entries.filter(({ ours, slug }) => ours === undefined && slugs.has(slug))
  const unread = [
    ...toRead,
    ...inTheWay,
    ...matches.doubles,
    ...(options.prune ? matches.orphans : []),
  ].filter((entry) => entry.remote === undefined && !goneIds.has(entry.id))
  if (unread.length === 0) return { matches, entries }
  const read = await Promise.all(
    unread.map(async ({ id }) => {
      const remote = await readRemoteArticle(session.client, id, options.defaultLanguage)
      return remote === undefined
        ? []
        : ([[id, entryOfRemote(remote, options.project, records.get(id))]] as const)
    }),
  )
  const fresh = new Map(read.flat())
  const unreadIds = new Set(unread.map(({ id }) => id))
  const updated = entries.flatMap((entry) => (unreadIds.has(entry.id) ? (fresh.get(entry.id) ?? []) : entry))
  return { matches: matchArticles(sent, updated, fingerprints, goneIds), entries: updated }
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
