import { KbError } from '../core/errors/kb-error.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import { type Operation, type OperationResult, isArticleWrite } from '../core/model/plan.ts'
import type { LocalArticle } from '../core/model/document.ts'
import type { LocalTaxonomy } from '../core/model/taxonomy.ts'
import { type ApplyContext, createApplyContext, createLedger, type Ledger } from './apply/apply-context.ts'
import { applyArticles } from './apply/apply-plan.ts'
import { applyTaxonomy } from './apply/apply-taxonomy.ts'
import { nextState } from './apply/next-state.ts'
import { explainGuards, guardRun, outcomeWithoutSending } from './guard-run.ts'
import type { Run } from './plan-run/planned-run.ts'
import type { SyncContentOptions } from './sync-options.ts'
import type { CreatedTaxonomy } from './target-session.ts'
import type { ArticleRecord, RemovedArticle, TargetState } from '../core/model/target-state.ts'
import { isError } from '../core/model/diagnostic.ts'
import { type Journal, openJournal } from './state/journal.ts'
import { writeState } from './state/state-file.ts'
import type { StateFiles } from './state/workspace.ts'
import { attempt } from './apply/attempt.ts'
import { FileUploads, type UploadedFiles } from './apply/file-uploads.ts'

/** Records the writes of a run before they are sent, and its result at the end. */
export type RunRecords = ReturnType<typeof createRunRecords>

/** For a single run: the last step writes the state, then ends the journal. */
export function createRunRecords(files: StateFiles, project: string) {
  return {
    openJournal: () => openJournal(files.journal),
    /**
     * Stores the state after the last write, and closes the journal in any case.
     *
     * @param unreplaced articles that were deleted and have no new version yet
     * @throws KbError WORKSPACE_UNWRITABLE
     */
    keep: async (next: TargetState, journal: Journal, unreplaced: readonly RemovedArticle[]) => {
      try {
        await writeState(files.state, project, next)
        await journal.finish(unreplaced)
      } finally {
        journal.close()
      }
    },
  }
}

export type ExecutedRun = Awaited<ReturnType<typeof executeRun>>

/** The content, or the part of it that the plan is for. */
type PlannedContent = Pick<LoadedContent, 'articles' | 'rejected' | 'taxonomy' | 'readHtml'>

/**
 * Executes the operations that the guards allow. In mode `plan`, only reports them. The guards judge the whole plan,
 * even if the run executes only a shard of it.
 */
export async function executeRun(
  content: PlannedContent,
  run: Run,
  records: RunRecords,
  options: SyncContentOptions,
) {
  const { planned, state } = run
  const documents = content.articles.length + content.rejected.size
  const guards = guardRun({ planned: run.whole ?? planned, state, documents }, options)
  const results: OperationResult[] = createdResults(run.created, content.taxonomy)
  const open: Operation[] = []
  for (const operation of planned.plan.operations) {
    const early = outcomeWithoutSending(operation, guards, options)
    if (early === undefined) open.push(operation)
    else results.push({ ...operation, ...early })
  }
  const isRejected = planned.plan.diagnostics.some(isError)
  const ledger = createLedger(run)
  let files: UploadedFiles | undefined
  if (isRejected || options.mode === 'plan') {
    for (const operation of open)
      results.push({ ...operation, ...(isRejected && !createsTaxonomy(operation) ? REJECTED : PLANNED) })
    if (!isRejected) files = await countUploads(run, open, options)
  } else files = await send(run, { content, open, results, ledger, records }, options)
  // Errors that prevent sending come first: guards are not needed, and their counts would be incomplete.
  const guard = isRejected ? undefined : explainGuards(guards)
  return {
    results,
    /** The reason why a guard held something back. */
    guard,
    /** The reason why a guard held back deletions. */
    deletesGuard: guards.delete,
    ledger,
    /** The files that were uploaded, or would be; undefined if no article to be sent uses any. */
    files,
    /** True if the target showed that the content is invalid: nothing was sent. */
    isRejected,
  }
}

const PLANNED = { outcome: 'planned' } as const

const REJECTED = { outcome: 'skipped', reason: 'nothing is sent while the content has errors' } as const

/** Some targets create the entries of the taxonomy files before the articles are checked for missing ones. */
function createsTaxonomy({ kind, action }: Operation): boolean {
  return kind !== 'article' && action === 'create'
}

async function send(
  run: Run,
  input: {
    readonly content: PlannedContent
    readonly open: readonly Operation[]
    readonly results: OperationResult[]
    readonly ledger: Ledger
    readonly records: RunRecords
  },
  options: SyncContentOptions,
): Promise<UploadedFiles | undefined> {
  const { content, open, results, ledger, records } = input
  const { readHtml } = content
  const { taxonomy } = run.planned
  let steps = 0
  // After a failure or an interruption, the remaining operations end without being sent.
  const onStep = () => {
    if (ledger.failure === undefined) options.onProgress?.('send', ++steps, open.length)
  }
  const onResult = (result: OperationResult) => void results.push(result)
  if (open.length > 0) options.onProgress?.('send', 0, open.length)
  options.onStage?.('send')
  const journal = records.openJournal()
  const uploads = createUploads(run, options)
  const context = createApplyContext(run, { readHtml, ledger, journal, uploads, onResult, onStep }, options)
  const settled: Record<string, string> = { ...taxonomy.settled }
  const updates = taxonomy.steps.filter(({ operation }) => open.includes(operation))
  await applyTaxonomy(updates, context, (step) => {
    settled[step.stateKey] = step.digest
  })
  const using = listUsing(run, open, options)
  if (using.length > 0) await attempt(context, () => uploads.ask(using))
  await applyArticles(
    open.filter((operation) => operation.kind === 'article'),
    context,
  )
  if (restoresFiles(options)) await restoreFiles(using, run, context)
  options.onStage?.('record')
  const next = nextState(run, ledger, settled)
  const areSourcesSent = await attempt(context, () => sendSources(next.articles, run, options))
  try {
    // The target may only now have been asked for its extensions.
    const known = areSourcesSent === true ? { ...nextState(run, ledger, settled), areSourcesSent } : next
    await records.keep(known, journal, [...ledger.removed.values()])
  } catch (error) {
    // Everything was sent, and the result says so. The next run recognises it without state.
    if (!(error instanceof KbError)) throw error
    ledger.failure ??= error
  }
  return using.length === 0 ? undefined : uploads.uploaded()
}

/** Returns the articles to write that use files; with `verify`, also the unchanged ones. */
function listUsing({ planned: { wanted } }: Run, open: readonly Operation[], options: SyncContentOptions) {
  const { isSelected = () => true } = options
  const restores = restoresFiles(options)
  const written = new Set(open.filter(isArticleWrite).map(({ source }) => source))
  return [...wanted.values()].flatMap(({ article }) =>
    article.files !== undefined && (written.has(article.source) || (restores && isSelected(article.source)))
      ? [article]
      : [],
  )
}

/**
 * Sends the target the source paths of articles that are new or were moved since the last run. Pages need them for edit
 * links. A path is not part of an article, so a moved file does not change its article.
 *
 * @returns true if the target knows all paths
 */
async function sendSources(
  articles: readonly ArticleRecord[],
  { state, planned, session }: Run,
  { settings, verify }: SyncContentOptions,
): Promise<boolean> {
  if (settings.pages.brand.editUrl === undefined) return false
  const isKnown = state.areSourcesSent === true && state.unfinished.writes === 0 && !verify
  const before = new Map(isKnown ? state.articles.map(({ id, source }) => [id, source]) : [])
  const changed = articles.flatMap(({ id, source: path }) =>
    path === undefined || before.get(id) === path ? [] : [{ id, path }],
  )
  if (changed.length === 0) return true
  if (!(await planned.extensions.ask()).sources) return false
  await session.client.setSources(changed)
  return true
}

/** True in only one of the shards of a plan. */
function restoresFiles({ verify, savedPlan }: SyncContentOptions): boolean {
  return verify && (savedPlan?.shard?.number ?? 1) === 1
}

/** Uploads again the files of unchanged articles that the target has lost. */
async function restoreFiles(
  using: readonly LocalArticle[],
  { planned: { matches, plan }, whole }: Run,
  context: ApplyContext,
): Promise<void> {
  const planned = new Set((whole?.plan ?? plan).operations.map(({ source }) => source))
  for (const article of using.filter(({ source }) => !planned.has(source))) {
    const { source, slug, language } = article
    const reason = await attempt(context, () => context.uploads.send(article))
    const id = matches.entryOf.get(source)?.id
    if (typeof reason === 'string' && id !== undefined)
      context.onResult({
        kind: 'article',
        action: 'update',
        source,
        slug,
        language,
        id,
        outcome: 'failed',
        reason,
      })
  }
}

function createUploads({ session: { client }, planned: { offers } }: Run, { settings }: SyncContentOptions) {
  return new FileUploads({ client, contentRoot: settings.contentRoot, isOffered: offers.files })
}

/** Counts the files that the target lacks. */
async function countUploads(run: Run, open: readonly Operation[], options: SyncContentOptions) {
  const using = listUsing(run, open, options)
  if (using.length === 0) return undefined
  const lacking = await createUploads(run, options).ask(using)
  return { uploaded: lacking.length, bytes: lacking.reduce((sum, { bytes }) => sum + bytes, 0) }
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
