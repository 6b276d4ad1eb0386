import { KbError } from '../errors/kb-error.ts'
import type { LoadedContent } from '../content/load-content.ts'
import type { Operation, OperationResult } from '../model/plan.ts'
import type { TargetState } from '../model/target-state.ts'
import { allowedDeletes } from '../config/max-deletes.ts'
import { summarise } from '../plan/summarise.ts'
import { loadState, writeState } from '../state/state-file.ts'
import { workspaceOf } from '../state/workspace.ts'
import { writeBackup } from '../state/write-backup.ts'
import type { ApplyContext, Ledger } from './apply-context.ts'
import { applyArticles } from './apply-plan.ts'
import { applyTaxonomy } from './apply-taxonomy.ts'
import { contentPrefix } from './content-project.ts'
import { makePlan, type PlannedRun } from './make-plan.ts'
import { nextState } from './next-state.ts'
import type { SyncOptions, SyncResult } from './sync-options.ts'
import type { CreatedTaxonomy, TargetSession } from './target-session.ts'

const NOTHING_CREATED: CreatedTaxonomy = { categories: [], tags: [], categoryIds: {}, tagIds: {} }

/** Pass two: compares clean content with the target, and in mode `sync` makes the target equal to it. */
export async function syncContent(
  content: LoadedContent,
  stateFile: string,
  options: SyncOptions,
): Promise<{ readonly result: SyncResult; readonly ownRevisions: number }> {
  const { settings, mode, connect, signal } = options
  const state = loadState(stateFile, settings.project)
  const session = await connect({ readOnly: mode === 'plan', signal })
  try {
    const result = await planAndExecute(content, { session, state, stateFile }, options)
    return { result, ...(await session.close()) }
  } catch (error) {
    await session.close()
    throw error
  }
}

async function planAndExecute(
  content: LoadedContent,
  { session, state, stateFile }: Pick<Execution, 'session' | 'state' | 'stateFile'>,
  options: SyncOptions,
): Promise<SyncResult> {
  const creates = options.mode === 'sync' ? session.createTaxonomy : undefined
  const created = (await creates?.(content.taxonomy)) ?? NOTHING_CREATED
  const planned = await makePlan({
    session,
    state,
    articles: content.articles,
    taxonomy: content.taxonomy,
    created,
    options: planOptions(options),
  })
  return execute(content, { session, state, stateFile, planned, created }, options)
}

interface Execution {
  readonly session: TargetSession
  readonly state: TargetState
  readonly stateFile: string
  readonly planned: PlannedRun
  readonly created: CreatedTaxonomy
}

async function execute(content: LoadedContent, run: Execution, options: SyncOptions): Promise<SyncResult> {
  const { planned, state } = run
  const guard = guardDeletes(planned, state, options)
  const results: OperationResult[] = createdResults(run.created)
  const open: Operation[] = []
  for (const operation of planned.plan.operations) {
    const early = outcomeWithoutSending(operation, guard, options)
    if (early === undefined) open.push(operation)
    else results.push({ ...operation, ...early })
  }
  const isRejected = planned.plan.diagnostics.some(({ severity }) => severity === 'error')
  const ledger = createLedger(run)
  if (isRejected || options.mode === 'plan')
    results.push(...open.map((operation) => ({ ...operation, outcome: 'planned' as const })))
  else await send(content, run, { open, results, ledger }, options)
  return toResult(content, run, { results, guard, ledger }, options)
}

async function send(
  content: LoadedContent,
  { session, state, stateFile, planned }: Execution,
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
  const context = createContext(content, session, planned, { ledger, onResult, onStep }, options)
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
    await writeState(stateFile, options.settings.project, nextState(state, planned, ledger, settled))
  } catch (error) {
    // All was sent, and the result says what; the next run recognises it without state.
    if (!(error instanceof KbError)) throw error
    ledger.failure ??= error
  }
}

function planOptions(options: SyncOptions) {
  const { settings, target, isSelected } = options
  return {
    project: settings.project,
    defaultLanguage: settings.defaultLanguage,
    contentPrefix: contentPrefix(settings),
    taxonomyMode: settings.sync.taxonomy ?? (target.kind === 'builtin' ? 'update' : 'check'),
    prune: options.prune && isSelected === undefined,
    overwriteDrift: options.onConflict === 'overwrite',
    adopt: new Set(options.adopt),
    verify: options.verify,
    maxGone: (known: number) => (options.yes ? known : allowedDeletes(options.maxDeletes, known)),
    isSelected: isSelected ?? (() => true),
  } as const
}

/** Why nothing may be deleted in this run, or undefined. */
function guardDeletes(
  { plan, matches, wanted }: PlannedRun,
  state: TargetState,
  options: SyncOptions,
): string | undefined {
  const deletes = plan.operations.filter(({ action }) => action === 'delete')
  if (deletes.length === 0) return undefined
  if (wanted.size === 0) {
    return 'The content folder has no articles: this looks like a wrong folder, so nothing was deleted, with or without --yes.'
  }
  if (options.yes) return undefined
  const ours = matches.entryOf.size + matches.orphans.length
  const allowed = allowedDeletes(options.maxDeletes, ours)
  // A surplus copy has a source; where it goes, its document's article stays.
  const orphans = deletes.filter(({ source }) => source === '').length
  if (orphans > allowed) {
    return `${orphans} of ${ours} articles would be deleted, more than sync.maxDeletes allows (${allowed}); nothing was deleted. Run again with --yes if that is meant.`
  }
  if (options.settings.project === 'default' && !state.isKnown) {
    return 'Without a project name, articles of another repository could be taken for ours; nothing was deleted. Set "project" in kb.config.ts, or run again with --yes.'
  }
  return undefined
}

function outcomeWithoutSending(
  { action }: Operation,
  guard: string | undefined,
  { mode }: SyncOptions,
): Pick<OperationResult, 'outcome' | 'reason'> | Pick<OperationResult, 'outcome'> | undefined {
  if (action === 'skip') return { outcome: 'skipped' }
  if (action === 'conflict') return { outcome: mode === 'plan' ? 'planned' : 'skipped' }
  return action === 'delete' && guard !== undefined
    ? { outcome: 'skipped', reason: 'held back by a guard' }
    : undefined
}

function createdResults({ categories, tags }: CreatedTaxonomy): OperationResult[] {
  const result = (kind: 'category' | 'tag', source: string) => (slug: string) =>
    ({ kind, action: 'create', source, slug, language: null, id: '', outcome: 'done' }) as const
  return [...categories.map(result('category', '_categories.yml')), ...tags.map(result('tag', '_tags.yml'))]
}

function createLedger({ planned, state, session }: Execution): Ledger {
  return {
    duplicateSlugs: state.duplicateSlugs ?? session.duplicateSlugs,
    knownIds: new Set(planned.remote.listedIds),
    sent: new Map(),
    deletedIds: new Set(),
    moved: new Map(),
    failure: undefined,
  }
}

function createContext(
  content: LoadedContent,
  { client }: TargetSession,
  planned: PlannedRun,
  { ledger, onResult, onStep }: Pick<ApplyContext, 'ledger' | 'onResult' | 'onStep'>,
  options: SyncOptions,
): ApplyContext {
  const { settings, now } = options
  const { backupFolder } = workspaceOf(settings.root)
  return {
    client,
    project: settings.project,
    defaultLanguage: settings.defaultLanguage,
    today: now().toISOString().slice(0, 10),
    concurrency: options.concurrency,
    settleMs: settings.sync.settleMs,
    readHtml: content.readHtml,
    backUp: async (id, article) => void (await writeBackup(backupFolder, id, article, now())),
    sleep: options.sleep,
    overwriteDrift: options.onConflict === 'overwrite',
    adopt: new Set(options.adopt),
    offers: planned.offers,
    wanted: planned.wanted,
    entries: new Map(planned.entries.map((entry) => [entry.id, entry])),
    ledger,
    onResult,
    onStep,
  }
}

function toResult(
  content: LoadedContent,
  { session, planned: { plan }, created }: Execution,
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
  const articles = results.filter(({ kind }) => kind === 'article')
  const taxonomy = results.filter(({ kind }) => kind !== 'article')
  const orphans = plan.orphans.filter(({ id }) => !ledger.deletedIds.has(id))
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
    failure: ledger.failure,
  }
}
