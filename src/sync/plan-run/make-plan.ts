import { versionOf } from '../../core/model/article-version.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import { type ArticleOperation, effectOf, isArticleWrite } from '../../core/model/plan.ts'
import { explainRecovery } from '../plan/explain-recovery.ts'
import { planArticles } from '../plan/plan-articles.ts'
import { type ResolvedArticle, withoutAliases } from '../plan/resolved-article.ts'
import { planRestores } from '../plan/plan-restores.ts'
import {
  asksForLanguages,
  explainAliases,
  explainWithheld,
  planWithheld,
  splitLanguages,
} from '../plan/split-languages.ts'
import { ALL_CAPABILITIES, NO_CAPABILITIES, type TargetCapabilities } from '../plan/target-capabilities.ts'
import type { TaxonomyPlan } from '../plan/taxonomy/plan-taxonomy.ts'
import { explainAllMissing, type MissingReference } from '../plan/taxonomy/resolve-references.ts'
import type { PlanInput, PlanRunOptions, PlannedRun } from './planned-run.ts'
import { categoryIdsOf, compareTaxonomy, resolveTaxonomy } from './resolve-taxonomy.ts'
import { awaitListed, type RemoteLists, readRemoteLists } from '../remote/list-articles.ts'
import { type Extensions, createExtensions, rememberExtensions } from '../remote/extensions.ts'
import { withListedReads } from '../remote/listed-reads.ts'
import { type RemoteIndex, readRemoteIndex } from '../remote/read-remote.ts'
import { type MatchedArticles, matchAndRead } from '../remote/match-and-read.ts'
import { allowedDeletes } from '../../core/config/max-deletes.ts'
import { contentPrefix } from '../../core/paths.ts'
import type { SyncContentOptions } from '../sync-options.ts'
import { taxonomyMode } from '../../core/config/resolve-target.ts'

export function planOptions(options: SyncContentOptions): PlanRunOptions {
  const { settings, target, isSelected = () => true, held = new Set(), mode, now, sleep } = options
  return {
    patience: mode === 'sync' ? { settleMs: settleMsOf(options), nowMs: now().getTime(), sleep } : undefined,
    project: settings.project,
    defaultLanguage: settings.defaultLanguage,
    contentPrefix: contentPrefix(settings),
    taxonomyMode: taxonomyMode(settings, target),
    prune: options.prune && options.isSelected === undefined,
    overwriteDrift: options.onConflict === 'overwrite',
    adopt: new Set(options.adopt),
    verify: options.verify,
    announced: options.announced,
    maxGone: (known: number) => (options.yes ? known : allowedDeletes(options.maxDeletes, known)),
    nowMs: now().getTime(),
    readsBeforeWrite:
      mode === 'sync' && options.savedPlan === undefined && options.onConflict !== 'overwrite',
    isSelected: (source) => isSelected(source) && !held.has(source),
    held,
    planned: articlesOfPlan(options.savedPlan),
    isSought: options.sources === undefined ? () => true : isSelected,
    onStage: options.onStage,
  }
}

function articlesOfPlan(savedPlan: SyncContentOptions['savedPlan']): PlanRunOptions['planned'] {
  if (savedPlan?.shard === undefined) return undefined
  const writes = savedPlan.plan.operations.filter(isArticleWrite)
  return new Map(writes.map(({ source, id }) => [source, id]))
}

const AS_IT_IS: TaxonomyPlan = { steps: [], unchanged: 0, settled: {} }

/** Reads what it needs from the target, and plans. Writes nothing. */
export async function makePlan(given: PlanInput): Promise<PlannedRun> {
  const first = await lookFirst(given)
  const client = withListedReads(given.session.client, first.extensions, given)
  const input = { ...given, session: { ...given.session, client } }
  const { session, state, options } = input
  const { sendable } = first.split(undefined)
  const found = await readRemoteIndex(session.client, first.lists, {
    ...options,
    articles: sendable,
    state,
    findOrphans: options.prune,
  })
  options.onStage?.('plan')
  const { tagIds, index, resolved, remote } = await resolveTaxonomy(input, sendable, found)
  const matched = await matchAndRead({
    client: session.client,
    state,
    documents: input.articles,
    readHtml: input.readHtml,
    wanted: resolved.wanted,
    remote,
    storesAsSent: session.storesAsSent,
    options,
  })
  const articles = await planWithOffers(input, { remote, matched, first })
  const restores = planRestores({
    ...options,
    // An article that is held back is restored in its earlier version.
    isSelected: (source) => options.isSelected(source) || options.held.has(source),
    removed: state.unfinished.removed,
    entries: matched.entries.filter(({ id }) => !remote.goneIds.has(id)),
    documents: input.articles,
    operations: articles.operations,
  })
  const missing = await explainAll(input, resolved.missing, first.extensions)
  const taxonomy = input.reads === undefined ? await compareTaxonomy(input, index) : AS_IT_IS
  return {
    plan: {
      version: 2,
      project: options.project,
      target: session.name,
      operations: [...stepsOf(taxonomy), ...articles.operations, ...restores.operations],
      unchanged: { articles: articles.unchanged, taxonomy: taxonomy.unchanged },
      orphans: articles.orphans,
      diagnostics: [...missing, ...articles.diagnostics],
    },
    wanted: new Map(articles.wanted.map((each) => [each.article.source, each])),
    matches: matched.matches,
    entries: matched.entries,
    keepsComments: matched.keepsComments,
    offers: articles.offers,
    extensions: first.extensions,
    taxonomy,
    categoryIds: categoryIdsOf(input.taxonomy, index),
    tagIds,
    remote,
    removed: restores.open,
    recovery: explainRecovery(state, matched.entries),
  }
}

/** Explains missing references. The target is asked for its extensions only if a hint depends on them. */
async function explainAll(
  { session, options: { contentPrefix: prefix } }: PlanInput,
  missing: readonly MissingReference[],
  extensions: Extensions,
): Promise<readonly Diagnostic[]> {
  const createsMissing = session.createTaxonomy !== undefined
  const isAsked = missing.length > 0 && !createsMissing
  const offers = isAsked ? await extensions.ask() : NO_CAPABILITIES
  return explainAllMissing(missing, { contentPrefix: prefix, createsMissing, offers })
}

const stepsOf = ({ steps }: TaxonomyPlan) => steps.map(({ operation }) => operation)

/** What was read of the target, and how its articles match the documents. */
interface ReadTarget {
  readonly remote: RemoteIndex
  readonly matched: MatchedArticles
  readonly first: FirstLook
}

/**
 * Makes an optimistic plan first. Requests the target's extensions only if one would change the plan, and then plans
 * again.
 */
async function planWithOffers(
  { session, state, articles, options }: PlanInput,
  { remote: { goneIds, languages: enabled }, matched, first }: ReadTarget,
) {
  const { wanted, matches, entries, keepsComments } = matched
  const documentKeys = articles.map(({ key }) => key)
  const sentVersions = new Set(state.awaited.map(versionOf))
  const planWith = (offers: TargetCapabilities) => {
    const { sendable, withheld } = first.split(offers)
    const taken = new Set(sendable.map(({ source }) => source).filter(options.isSelected))
    // What cannot be sent is not compared.
    const storable = offers.redirects ? wanted : wanted.map(withoutAliases)
    const selected = storable.filter(({ article }) => taken.has(article.source))
    const plan = planArticles(selected, matches, entries, {
      ...options,
      goneIds,
      sentVersions,
      documentKeys,
      keepsComments,
      offers,
    })
    const selectedWithheld = withheld.filter(({ article }) => options.isSelected(article.source))
    return { plan, withheld: selectedWithheld, wanted: storable }
  }
  const optimistic = planWith(first.offers ?? ALL_CAPABILITIES)
  const { isNeeded, withAliases } = findUses(optimistic.plan.operations, wanted, options)
  const offers = first.offers ?? (isNeeded ? await first.extensions.ask() : NO_CAPABILITIES)
  // True if the optimistic plan assumed no more than the target offers.
  const isFeasible =
    first.offers !== undefined ||
    !isNeeded ||
    (offers.updateInPlace && offers.languages && (offers.redirects || withAliases.length === 0))
  const { plan, withheld, wanted: storable } = isFeasible ? optimistic : planWith(offers)
  const wording = { ...options, enabled, isBuiltin: session.createTaxonomy !== undefined }
  return {
    ...plan,
    wanted: storable,
    offers,
    operations: [...plan.operations, ...withheld.map(planWithheld)],
    diagnostics: [
      ...withheld.map((each) => explainWithheld(each, wording)),
      ...(offers.redirects ? [] : explainAliases(withAliases, wording)),
    ],
  }
}

/** The extensions that a plan would use. @returns `withAliases`: the articles to write whose aliases need one */
function findUses(
  operations: readonly ArticleOperation[],
  wanted: readonly ResolvedArticle[],
  { patience, verify }: PlanRunOptions,
) {
  const related = new Set(
    wanted.flatMap(({ translationOf, article }) => (translationOf === undefined ? [] : [article.source])),
  )
  const creates = operations.filter((operation) => operation.action === 'create')
  const effects = new Set(operations.map(effectOf))
  const written = new Set(operations.filter(isArticleWrite).map(({ source }) => source))
  const usesFiles = wanted.some(
    ({ article: { source, files } }) => files !== undefined && (verify || written.has(source)),
  )
  const withAliases = wanted.filter(
    ({ article: { aliases, source } }) => aliases !== undefined && written.has(source),
  )
  const isNeeded =
    usesFiles ||
    withAliases.length > 0 ||
    // Extensions that affect only writes: ids and keys of creates, and the version that a deletion names.
    (patience !== undefined && (creates.length > 0 || effects.has('delete'))) ||
    creates.some(({ language, source }) => language !== null || related.has(source)) ||
    effects.has('update')
  return { isNeeded, withAliases }
}

type FirstLook = Awaited<ReturnType<typeof lookFirst>>

/**
 * Requests the lists, and the extensions if a document in another language is not on the target yet. Uses what was read
 * before.
 */
async function lookFirst(input: PlanInput) {
  const { session, state, articles, options, reads } = input
  options.onStage?.('list')
  const { announced } = options
  const extensions =
    reads?.extensions ??
    (announced === undefined
      ? createExtensions(session.client, state, options)
      : rememberExtensions(announced))
  const knownKeys = new Set([...state.articles, ...state.awaited].map(({ key }) => key))
  const isAsked = reads !== undefined || asksForLanguages(articles, knownKeys, options.isSelected)
  const [lists, offers] = await Promise.all([readLists(input), isAsked ? extensions.ask() : undefined])
  const split = (late: TargetCapabilities | undefined) =>
    splitLanguages(articles, { offers: offers ?? late, enabled: lists.languages, knownKeys })
  return {
    lists,
    extensions,
    /** Undefined until the target had to be asked. */
    offers,
    /** Separates articles that the target accepts from others. @param late capabilities that were learnt later */
    split,
  }
}

async function readLists(input: PlanInput): Promise<RemoteLists> {
  const { session, state, options, reads } = input
  // The lists as far as they are known. Each article is read before it is written anyway.
  if (reads !== undefined) return { ...reads.lists, dated: listedAs(state) }
  const { client } = session
  const { defaultLanguage, patience } = options
  const lists = await readRemoteLists(client, defaultLanguage)
  if (patience === undefined) return lists
  return { ...lists, dated: await awaitListed(client, lists.dated, state, defaultLanguage, patience) }
}

function listedAs({ articles }: PlanInput['state']): RemoteLists['dated'] {
  return articles.map(({ id, title, language }) => ({ id, title, language, fromReviewDates: true }))
}

/** The lists of the built-in server are never out of date. */
export function settleMsOf({ target, settings }: Pick<SyncContentOptions, 'target' | 'settings'>): number {
  return target.kind === 'builtin' ? 0 : settings.sync.settleMs
}
