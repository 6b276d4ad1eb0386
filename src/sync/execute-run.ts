import { KbError } from '../core/errors/kb-error.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { Operation, OperationResult } from '../core/model/plan.ts'
import type { LocalTaxonomy } from '../core/model/taxonomy.ts'
import type { Ledger } from './apply/apply-context.ts'
import { applyArticles } from './apply/apply-plan.ts'
import { applyTaxonomy } from './apply/apply-taxonomy.ts'
import { createApplyContext, createLedger } from './apply/create-apply-context.ts'
import { nextState } from './apply/next-state.ts'
import { explainGuards, guardRun, outcomeWithoutSending } from './guard-run.ts'
import type { Run } from './plan-content.ts'
import type { PlannedRun } from './planning/planned-run.ts'
import { takeShard } from './planning/take-shard.ts'
import type { SyncContentOptions } from './sync-options.ts'
import type { CreatedTaxonomy } from './target-session.ts'
import type { RemovedArticle, TargetState } from '../core/model/target-state.ts'
import { isError } from '../core/model/diagnostic.ts'
import { type Journal, openJournal } from './state/journal.ts'
import { writeState } from './state/state-file.ts'
import type { StateFiles } from './state/workspace.ts'

/** Records the writes of a run before they are sent, and its result at the end. */
export interface RunRecords {
  readonly openJournal: () => Journal
  /**
   * Stores the state after the last write, and closes the journal in any case.
   *
   * @param unreplaced articles that were deleted and have no new version yet
   * @throws KbError WORKSPACE_UNWRITABLE
   */
  readonly keep: (next: TargetState, journal: Journal, unreplaced: readonly RemovedArticle[]) => Promise<void>
}

/** For a single run: the last step writes the state, and the journal ends with it. */
export function createRunRecords(files: StateFiles, project: string): RunRecords {
  return {
    openJournal: () => openJournal(files.journal),
    keep: async (next, journal, unreplaced) => {
      try {
        await writeState(files.state, project, next)
        await journal.finish(unreplaced)
      } finally {
        journal.close()
      }
    },
  }
}

/** The result of a run. */
export interface ExecutedRun {
  /** The plan, or the shard of it that was executed. */
  readonly planned: PlannedRun
  readonly results: readonly OperationResult[]
  /** The reason why a guard held something back. */
  readonly guard: string | undefined
  readonly ledger: Ledger
  /** True if the target showed that the content is invalid: nothing was sent. */
  readonly isRejected: boolean
}

/** The content, or the part of it that the plan is for. */
type PlannedContent = Pick<LoadedContent, 'articles' | 'rejected' | 'taxonomy' | 'readHtml'>

/**
 * Executes the operations that the guards allow. In mode `plan`, only reports them. The guards judge all operations, not
 * those of a shard.
 */
export async function executeRun(
  content: PlannedContent,
  whole: Run,
  records: RunRecords,
  options: SyncContentOptions,
): Promise<ExecutedRun> {
  const { state } = whole
  const documents = content.articles.length + content.rejected.size
  const guards = guardRun(whole.planned, documents, state, options)
  const planned =
    options.shard === undefined ? whole.planned : takeShard(whole.planned, content.articles, options.shard)
  const run = { ...whole, planned }
  const results: OperationResult[] = createdResults(run.created, content.taxonomy)
  const open: Operation[] = []
  for (const operation of planned.plan.operations) {
    const early = outcomeWithoutSending(operation, guards, options)
    if (early === undefined) open.push(operation)
    else results.push({ ...operation, ...early })
  }
  const isRejected = planned.plan.diagnostics.some(isError)
  const ledger = createLedger(run)
  if (isRejected || options.mode === 'plan')
    for (const operation of open)
      results.push({ ...operation, ...(isRejected && !createsTaxonomy(operation) ? REJECTED : PLANNED) })
  else await send(content, run, { open, results, ledger, records }, options)
  // Errors that prevent sending come first: guards are not needed, and their counts would be incomplete.
  return { planned, results, guard: isRejected ? undefined : explainGuards(guards), ledger, isRejected }
}

const PLANNED = { outcome: 'planned' } as const

const REJECTED = { outcome: 'skipped', reason: 'nothing is sent while the content has errors' } as const

/** Some targets create the entries of the taxonomy files before the articles are checked for missing ones. */
function createsTaxonomy({ kind, action }: Operation): boolean {
  return kind !== 'article' && action === 'create'
}

async function send(
  content: PlannedContent,
  run: Run,
  {
    open,
    results,
    ledger,
    records,
  }: {
    readonly open: readonly Operation[]
    readonly results: OperationResult[]
    readonly ledger: Ledger
    readonly records: RunRecords
  },
  options: SyncContentOptions,
): Promise<void> {
  const { state, planned } = run
  let steps = 0
  // After a failure or an interruption, the remaining operations end without being sent.
  const onStep = () => {
    if (ledger.failure === undefined) options.onProgress?.('send', ++steps, open.length)
  }
  const onResult = (result: OperationResult) => void results.push(result)
  if (open.length > 0) options.onProgress?.('send', 0, open.length)
  options.onStage?.('send')
  const journal = records.openJournal()
  const context = createApplyContext(content, run, { ledger, journal, onResult, onStep }, options)
  const settled: Record<string, string> = { ...planned.taxonomy.settled }
  const updates = planned.taxonomy.steps.filter(({ operation }) => open.includes(operation))
  await applyTaxonomy(updates, context, (step) => {
    settled[step.stateKey] = step.digest
  })
  await applyArticles(
    open.filter((operation) => operation.kind === 'article'),
    context,
  )
  options.onStage?.('record')
  try {
    await records.keep(nextState(state, planned, ledger, settled), journal, [...ledger.removed.values()])
  } catch (error) {
    // Everything was sent, and the result says so. The next run recognises it without state.
    if (!(error instanceof KbError)) throw error
    ledger.failure ??= error
  }
}

/** The categories and tags that the target has created, with the entries they were created from. */
function createdResults(
  created: Pick<CreatedTaxonomy, 'categories' | 'tags'>,
  { categories = [], tags = [] }: LocalTaxonomy,
): OperationResult[] {
  const result = (
    kind: 'category' | 'tag',
    entries: readonly { readonly slug: string | undefined; readonly source?: string | undefined }[],
    file: string,
  ) => {
    const sources = new Map(entries.map(({ slug, source }) => [slug, source]))
    return (slug: string): OperationResult => {
      const source = sources.get(slug) ?? file
      return { kind, action: 'create', source, slug, language: null, outcome: 'done' }
    }
  }
  return [
    ...created.categories.map(result('category', categories, '_categories.yml')),
    ...created.tags.map(result('tag', tags, '_tags.yml')),
  ]
}
