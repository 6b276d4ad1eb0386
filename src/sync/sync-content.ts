import { nameShard } from '../core/config/shard.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import { type OperationResult, type Orphan, effectOf } from '../core/model/plan.ts'
import { readDifferences } from './difference/read-differences.ts'
import { createRunRecords, executeRun, type ExecutedRun } from './execute-run.ts'
import { loadPast } from './state/load-past.ts'
import { listHeld, holdBackArticles, listUnread } from './hold-back.ts'
import type { Run } from './plan-run/planned-run.ts'
import { toSavedPlan, assertPlanHolds, narrowToShard } from './saved/save-plan.ts'
import type { StateFiles } from './state/workspace.ts'
import type { SyncContentOptions, SyncResult } from './sync-options.ts'
import { summarise } from './plan/summarise.ts'
import type { ArticleRecord } from '../core/model/target-state.ts'
import { posix } from 'node:path'
import type { Diagnostic } from '../core/model/diagnostic.ts'
import { FileUploads } from './apply/file-uploads.ts'
import { contentPrefix } from '../core/paths.ts'
import { makePlan, planOptions } from './plan-run/make-plan.ts'
import type { CreatedTaxonomy, TargetSession } from './target-session.ts'

/**
 * Pass two: compares valid content with the target, and in mode `sync` sends the differences.
 *
 * @returns `target`: what a later run may reuse; undefined if this one has changed it
 */
export async function syncContent(content: LoadedContent, files: StateFiles, options: SyncContentOptions) {
  const { settings, mode, connect, onStage, signal } = options
  onStage?.('connect')
  const state = loadPast(files, settings.project)
  const session = await connect({ readOnly: mode === 'plan', signal })
  try {
    const run = await planContent(content, { session, state }, options)
    const result =
      options.held === undefined
        ? await execute(content, run, files, options)
        : await executeHolding(content, run, files, { ...options, held: options.held })
    onStage?.('close')
    return { result, target: knownTarget(run, result), ...(await session.close()) }
  } catch (error) {
    await session.close()
    throw error
  }
}

function knownTarget({ planned: { remote, taxonomy }, created }: Run, { orphans }: SyncResult) {
  if (taxonomy.steps.length > 0) return undefined
  const { categories, languages, articleLimit } = remote
  const { categoryIds, tagIds } = created
  return { categories, languages, articleLimit, categoryIds, tagIds, orphans }
}

const NOTHING_CREATED: CreatedTaxonomy = { categories: [], tags: [], categoryIds: {}, tagIds: {} }

/**
 * Compares content with the target; articles that are held back stay there as they are. In mode `sync`, a target that
 * creates missing categories and tags first gets the entries of the taxonomy files.
 *
 * @throws KbError PLAN_OUTDATED, SHARD_UNSUPPORTED, TARGET_DIFFERENT and what the client throws
 */
export async function planContent(
  content: LoadedContent,
  { session, state }: Pick<Run, 'session' | 'state'>,
  options: SyncContentOptions,
): Promise<Run> {
  const creates = options.mode === 'sync' ? session.createTaxonomy : undefined
  const unread = listUnread(content)
  const articles = [...content.articles, ...unread]
  const unreadSources = new Set(unread.map(({ source }) => source))
  const planWith = (created: CreatedTaxonomy) =>
    makePlan({
      session,
      state,
      articles,
      readHtml: (article) => (unreadSources.has(article.source) ? '' : content.readHtml(article)),
      taxonomy: content.taxonomy,
      created,
      options: planOptions(options),
    })
  // A saved plan is compared with a plan made in the same way, before anything is created.
  const { savedPlan } = options
  const looked = savedPlan && (await planWith(NOTHING_CREATED))
  if (savedPlan && looked) assertPlanHolds(savedPlan, looked, options.settings)
  const uploadProblems = options.mode === 'sync' ? await uploadDescribed(content, session, options) : []
  const created = (uploadProblems.length === 0 && (await creates?.(content.taxonomy))) || NOTHING_CREATED
  const made = creates === undefined && looked !== undefined ? looked : await planWith(created)
  const diagnostics = [...made.plan.diagnostics, ...uploadProblems]
  const whole = { ...made, plan: { ...made.plan, diagnostics } }
  const run = { session, state, planned: whole, created, problems: [] }
  if (savedPlan?.shard !== undefined)
    return { ...run, whole, planned: narrowToShard(savedPlan.plan, savedPlan.shard, whole) }
  if (options.held === undefined) return run
  const { isSelected } = planOptions(options)
  return { ...run, ...holdBackArticles(whole, { articles, held: options.held, isSelected, state }) }
}

/** Categories and tags are sent before all articles, so a failed upload of one of their files is an error. */
async function uploadDescribed(
  { describedFiles: files }: Pick<LoadedContent, 'describedFiles'>,
  { client }: TargetSession,
  { settings }: SyncContentOptions,
): Promise<Diagnostic[]> {
  if (files.length === 0) return []
  const uploads = new FileUploads({ client, contentRoot: settings.contentRoot, isOffered: true })
  await uploads.ask([{ files }])
  const reason = await uploads.send({ files })
  if (reason === undefined) return []
  const file = posix.join(contentPrefix(settings), files[0]?.usedAt ?? '')
  const message = `A description cannot be sent: ${reason}.`
  return [{ code: 'asset-unconfirmed', severity: 'error', file, line: 1, column: 1, message }]
}

/** Executes the run, and also lists the articles that are held back. */
async function executeHolding(
  content: LoadedContent,
  { planned, ...run }: Run,
  files: StateFiles,
  options: SyncContentOptions & { readonly held: ReadonlySet<string> },
): Promise<SyncResult> {
  const { isSelected = () => true, settings } = options
  const heldBack = [...options.held].filter(isSelected).toSorted()
  const operations = [...planned.plan.operations, ...listHeld(content, heldBack, settings)]
  const listed = { ...run, planned: { ...planned, plan: { ...planned.plan, operations } } }
  return { ...(await execute(content, listed, files, options)), heldBack }
}

async function execute(content: LoadedContent, run: Run, files: StateFiles, options: SyncContentOptions) {
  const records = createRunRecords(files, options.settings.project)
  const executed = await executeRun(content, run, records, options)
  const { results, deletesGuard, isRejected } = executed
  const isSound = !isRejected && options.mode === 'plan'
  const shown =
    isSound && options.diff === true ? await showDifferences(content, run, results, options) : results
  const result = toResult(content, run, { ...executed, results: shown }, options)
  const savedPlan =
    isSound && options.savesPlan === true
      ? toSavedPlan(run.planned, deletesGuard, options)
      : options.savedPlan?.plan
  return { ...result, ...(savedPlan !== undefined && { savedPlan }) }
}

function showDifferences(
  content: LoadedContent,
  { session: { client }, planned }: Run,
  results: readonly OperationResult[],
  { settings, now, concurrency }: SyncContentOptions,
): Promise<OperationResult[]> {
  const today = now().toISOString().slice(0, 10)
  return readDifferences(results, { client, content, planned, settings, today, concurrency })
}

export function toResult(
  content: Pick<LoadedContent, 'diagnostics'>,
  { session, state, planned: { plan, recovery, wanted }, created, problems }: Run,
  { results, guard, ledger, files }: Omit<ExecutedRun, 'isRejected'>,
  options: Pick<SyncContentOptions, 'target' | 'isSelected' | 'savedPlan'>,
): SyncResult {
  const { target, isSelected = () => true, savedPlan } = options
  const named = nameOrphans(results, state.articles, plan.orphans)
  const articles = named.filter(({ kind }) => kind === 'article')
  const taxonomy = results.filter(({ kind }) => kind !== 'article')
  // Articles that a plan would delete do not count as orphans, as in a sync.
  const toDelete = articles.filter((each) => effectOf(each) === 'delete' && each.outcome === 'planned')
  const goneIds = new Set([...ledger.deletedIds, ...toDelete.flatMap(({ id }) => id ?? [])])
  const orphans = plan.orphans.filter(({ id }) => !goneIds.has(id))
  // Deletions that were held back count as skipped.
  const orphanIds = new Set(orphans.map(({ id }) => id))
  const heldDeletes = articles.filter(
    ({ action, outcome, id = '' }) =>
      ['delete-orphan', 'skip'].includes(action) && outcome === 'skipped' && orphanIds.has(id),
  ).length
  const unsent = new Set(
    articles.filter(({ outcome }) => outcome !== 'done' && outcome !== 'planned').map(({ source }) => source),
  )
  const sent = [...wanted.values()].filter(
    ({ article: { source } }) => isSelected(source) && !unsent.has(source),
  )
  return {
    target: target.name,
    ...(savedPlan?.shard && { shard: nameShard(savedPlan.shard) }),
    summary: summarise(articles, plan.unchanged.articles, orphans.length - heldDeletes),
    taxonomy: summarise(
      taxonomy,
      // Entries that were created just before the plan look unchanged to it.
      plan.unchanged.taxonomy - created.categories.length - created.tags.length,
      0,
    ),
    operations: [...taxonomy, ...articles],
    orphans,
    ...(files && { files }),
    diagnostics: [...content.diagnostics, ...plan.diagnostics, ...problems],
    requests: session.client.countRequests(),
    drafts: sent.filter(({ article }) => article.status === 'draft').length,
    guard,
    recovery,
    failure: ledger.failure,
  }
}

/** Names articles without a file: by their previous path, otherwise by title. */
function nameOrphans(
  results: readonly OperationResult[],
  records: readonly ArticleRecord[],
  orphans: readonly Orphan[],
): OperationResult[] {
  if (results.every(isOfFile)) return [...results]
  const titles = new Map(orphans.map(({ id, title }) => [id, title]))
  const sources = new Map(records.map(({ id, source }) => [id, source]))
  return results.map((result) => {
    if (isOfFile(result)) return result
    const { id = '' } = result
    const name = sources.get(id) ?? titles.get(id)
    return name === undefined || name === '' ? result : { ...result, name }
  })
}

function isOfFile({ kind, source }: OperationResult): boolean {
  return kind !== 'article' || source !== undefined
}
