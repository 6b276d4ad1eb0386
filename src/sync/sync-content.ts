import { KbError } from '../errors/kb-error.ts'
import type { LoadedContent } from '../content/load-content.ts'
import type { Operation, OperationResult } from '../model/plan.ts'
import type { TargetState } from '../model/target-state.ts'
import { allowedDeletes } from '../config/max-deletes.ts'
import { nameOrphans } from '../plan/name-orphans.ts'
import { recoverState } from '../plan/recover-state.ts'
import { summarise } from '../plan/summarise.ts'
import { openJournal, readJournal } from '../state/journal.ts'
import { loadState, writeState } from '../state/state-file.ts'
import type { Ledger } from './apply/apply-context.ts'
import { applyArticles } from './apply/apply-plan.ts'
import { applyTaxonomy } from './apply/apply-taxonomy.ts'
import { settleMsOf } from './remote/await-listed.ts'
import { contentPrefix } from './content-project.ts'
import { createApplyContext, createLedger } from './apply/create-apply-context.ts'
import { explainGuards, guardRun, outcomeWithoutSending } from './guard-run.ts'
import { makePlan } from './planning/make-plan.ts'
import type { PlannedRun } from './planning/planned-run.ts'
import { nextState } from './apply/next-state.ts'
import { readDifferences } from './difference/read-differences.ts'
import { assertPlanHolds, toSavedPlan } from './saved/save-plan.ts'
import type { StateFiles } from './state-files.ts'
import type { SyncOptions, SyncResult } from './sync-options.ts'
import type { CreatedTaxonomy, TargetSession } from './target-session.ts'
import { taxonomyMode } from './taxonomy-mode.ts'

const NOTHING_CREATED: CreatedTaxonomy = { categories: [], tags: [], categoryIds: {}, tagIds: {} }

/** Pass two: compares clean content with the target, and in mode `sync` makes the target equal to it. */
export async function syncContent(
  content: LoadedContent,
  files: StateFiles,
  options: SyncOptions,
): Promise<{ readonly result: SyncResult; readonly ownRevisions: number }> {
  const { settings, mode, connect, signal } = options
  const state = recoverState(loadState(files.state, settings.project), readJournal(files.journal))
  const session = await connect({ readOnly: mode === 'plan', signal })
  try {
    const result = await planAndExecute(content, { session, state, files }, options)
    return { result, ...(await session.close()) }
  } catch (error) {
    await session.close()
    throw error
  }
}

async function planAndExecute(
  content: LoadedContent,
  { session, state, files }: Pick<Execution, 'session' | 'state' | 'files'>,
  options: SyncOptions,
): Promise<SyncResult> {
  const creates = options.mode === 'sync' ? session.createTaxonomy : undefined
  const planWith = (created: CreatedTaxonomy) =>
    makePlan({
      session,
      state,
      articles: content.articles,
      taxonomy: content.taxonomy,
      created,
      options: planOptions(options),
    })
  // A saved plan is held against one that was made the same way: before anything is created.
  const looked = options.savedPlan === undefined ? undefined : await planWith(NOTHING_CREATED)
  if (looked !== undefined && options.savedPlan !== undefined)
    assertPlanHolds(options.savedPlan, looked, options.settings)
  const created = (await creates?.(content.taxonomy)) ?? NOTHING_CREATED
  const planned = creates === undefined && looked !== undefined ? looked : await planWith(created)
  return execute(content, { session, state, files, planned, created }, options)
}

interface Execution {
  readonly session: TargetSession
  readonly state: TargetState
  readonly files: StateFiles
  readonly planned: PlannedRun
  readonly created: CreatedTaxonomy
}

async function execute(content: LoadedContent, run: Execution, options: SyncOptions): Promise<SyncResult> {
  const { planned, state } = run
  const guards = guardRun(planned, state, options)
  const guard = explainGuards(guards)
  const results: OperationResult[] = createdResults(run.created)
  const open: Operation[] = []
  for (const operation of planned.plan.operations) {
    const early = outcomeWithoutSending(operation, guards, options)
    if (early === undefined) open.push(operation)
    else results.push({ ...operation, ...early })
  }
  const isRejected = planned.plan.diagnostics.some(({ severity }) => severity === 'error')
  const ledger = createLedger(run)
  if (isRejected || options.mode === 'plan')
    for (const operation of open) results.push({ ...operation, outcome: 'planned' })
  else await send(content, run, { open, results, ledger }, options)
  const isSound = !isRejected && options.mode === 'plan'
  const shown =
    isSound && options.diff === true ? await showDifferences(content, run, results, options) : results
  const result = toResult(content, run, { results: shown, guard, ledger }, options)
  const savedPlan =
    isSound && options.savesPlan === true ? toSavedPlan(planned, guard, options) : options.savedPlan?.plan
  return { ...result, ...(savedPlan !== undefined && { savedPlan }) }
}

function showDifferences(
  content: LoadedContent,
  { session: { client }, planned }: Execution,
  results: readonly OperationResult[],
  { settings, now, concurrency }: SyncOptions,
): Promise<OperationResult[]> {
  const today = now().toISOString().slice(0, 10)
  return readDifferences(results, { client, content, planned, settings, today, concurrency })
}

async function send(
  content: LoadedContent,
  { session, state, files, planned }: Execution,
  {
    open,
    results,
    ledger,
  }: { readonly open: readonly Operation[]; readonly results: OperationResult[]; readonly ledger: Ledger },
  options: SyncOptions,
): Promise<void> {
  let steps = 0
  const onStep = () => options.onProgress?.('send', ++steps, open.length)
  const onResult = (result: OperationResult) => void results.push(result)
  if (open.length > 0) options.onProgress?.('send', 0, open.length)
  const journal = openJournal(files.journal)
  const hooks = { ledger, journal, onResult, onStep }
  const context = createApplyContext(content, { session, state, planned }, hooks, options)
  const settled: Record<string, string> = { ...planned.taxonomy.settled }
  const updates = planned.taxonomy.steps.filter(({ operation }) => open.includes(operation))
  await applyTaxonomy(updates, context, (step) => {
    settled[step.stateKey] = step.digest
  })
  await applyArticles(
    open.filter(({ kind }) => kind === 'article'),
    context,
  )
  try {
    await writeState(files.state, options.settings.project, nextState(state, planned, ledger, settled))
    await journal.finish([...ledger.removed.values()])
  } catch (error) {
    // All was sent, and the result says what; the next run recognises it without state.
    if (!(error instanceof KbError)) throw error
    ledger.failure ??= error
  } finally {
    journal.close()
  }
}

function planOptions(options: SyncOptions) {
  const { settings, target, isSelected, mode, now, sleep } = options
  return {
    patience: mode === 'sync' ? { settleMs: settleMsOf(options), nowMs: now().getTime(), sleep } : undefined,
    project: settings.project,
    defaultLanguage: settings.defaultLanguage,
    contentPrefix: contentPrefix(settings),
    taxonomyMode: taxonomyMode(settings, target),
    prune: options.prune && isSelected === undefined,
    overwriteDrift: options.onConflict === 'overwrite',
    adopt: new Set(options.adopt),
    verify: options.verify,
    maxGone: (known: number) => (options.yes ? known : allowedDeletes(options.maxDeletes, known)),
    isSelected: isSelected ?? (() => true),
  } as const
}

function createdResults({ categories, tags }: CreatedTaxonomy): OperationResult[] {
  const result = (kind: 'category' | 'tag', source: string) => (slug: string) =>
    ({ kind, action: 'create', source, slug, language: null, id: '', outcome: 'done' }) as const
  return [...categories.map(result('category', '_categories.yml')), ...tags.map(result('tag', '_tags.yml'))]
}

function toResult(
  content: LoadedContent,
  { session, state, planned: { plan, recovery }, created }: Execution,
  {
    results,
    guard,
    ledger,
  }: {
    readonly results: readonly OperationResult[]
    readonly guard: string | undefined
    readonly ledger: Ledger
  },
  { target }: SyncOptions,
): SyncResult {
  const named = nameOrphans(results, state.articles, plan.orphans)
  const articles = named.filter(({ kind }) => kind === 'article')
  const taxonomy = results.filter(({ kind }) => kind !== 'article')
  // What a plan would delete is no more left over than what a sync has deleted.
  const toDelete = articles.filter(({ action, outcome }) => action === 'delete' && outcome === 'planned')
  const goneIds = new Set([...ledger.deletedIds, ...toDelete.map(({ id }) => id)])
  const orphans = plan.orphans.filter(({ id }) => !goneIds.has(id))
  return {
    target: target.name,
    summary: summarise(articles, plan.unchanged.articles, orphans.length),
    taxonomy: summarise(
      taxonomy,
      // What was created just before the plan was made looks unchanged to it.
      plan.unchanged.taxonomy - createdResults(created).length,
      0,
    ),
    operations: [...taxonomy, ...articles],
    orphans,
    diagnostics: [...content.diagnostics, ...plan.diagnostics],
    requests: session.client.countRequests(),
    guard,
    recovery,
    failure: ledger.failure,
  }
}
