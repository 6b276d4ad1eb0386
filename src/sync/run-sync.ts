import { existsSync } from 'node:fs'
import type { SentVersion } from '../content/pipeline/build-corpus.ts'
import type { FoundSources } from '../content/source/find-sources.ts'
import type { FileDigests } from '../content/source/hash-sources.ts'
import type { OnError } from '../core/config/schema.ts'
import type { FileStorage, Settings } from '../core/config/settings.ts'
import type { Summary } from '../core/model/plan.ts'
import { type Admission, admitContent, listKeptAddresses } from './admit-content.ts'
import { type OpenContent, findContent, openContent, usesStoredFiles } from './open-content.ts'
import { contentPrefix } from '../core/paths.ts'
import {
  type EditedSources,
  findUnchanged,
  identify,
  type Unchanged,
  type UnchangedQuestion,
  withoutAssets,
} from './find-unchanged.ts'
import { withStorage } from '../core/config/resolve-target.ts'
import { summarise } from './plan/summarise.ts'
import { recordEdits, recordRun, type RunFiles, withStoredWarnings } from './record-run.ts'
import type { Announcement } from './remote/extensions.ts'
import { type CleanMark, removeCleanMark } from './state/clean-mark.ts'
import { waitForLock } from './state/lock.ts'
import { prepareWorkspace, type StateFiles, workspaceOf, stateFiles } from './state/workspace.ts'
import type { SyncContentOptions, SyncResult } from './sync-options.ts'

/**
 * One run of `kb sync` or `kb plan`. Pass one reads, checks and renders everything. Unless errors stop the run, pass two
 * compares it with the target and sends the differences.
 *
 * @throws KbError if the run cannot start; later failures are in the result
 */
export async function runSync(options: SyncContentOptions): Promise<SyncResult> {
  const { settings, mode, now } = options
  // A saved plan covers all articles.
  const isSaved = options.savesPlan === true || options.savedPlan !== undefined
  const onError = isSaved ? 'stop' : (options.onError ?? 'stop')
  options.onStage?.('find')
  const foundBefore = await findContent(settings)
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const files = stateFiles(options.target, settings, workspace)
  const { unlock, hasWaited } = mode === 'sync' ? await waitForLock(files.lock, options) : NO_LOCK
  let discardSession: (() => Promise<void>) | undefined
  try {
    const found = hasWaited ? await findContent(settings) : foundBefore
    const question = { settings, found, files, now: now().getTime(), onStage: options.onStage }
    const checked = await checkUnchanged(options, question)
    if (checked.kind === 'unchanged') return unchangedResult(options, files, checked.mark)
    const prepareSession = () => (discardSession ??= options.connect.prepare?.())
    if (found.articles.length < MANY_ARTICLES || existsSync(workspace.cacheFile)) prepareSession()
    const looked = { found, files, identity: checked.identity, startedMs: question.now }
    const early = checked.edited && (await runEdits(checked.edited, looked, options))
    return early ?? (await runAll(looked, { ...options, onError, onCompiled: prepareSession }))
  } finally {
    unlock()
    await discardSession?.()
  }
}

/** To compile more articles takes all processors and most memory, so the session is prepared later. */
const MANY_ARTICLES = 300

/** A run for the whole content. */
async function runAll(looked: RunFiles, options: AdmitOptions): Promise<SyncResult> {
  const { settings, mode, onError } = options
  const { found, files, identity } = looked
  const sourceHashes = withoutAssets(identity.hashes(), found)
  const holds = onError === 'hold'
  const { open, admission, announced } = await openForTarget(options, {
    found,
    files,
    hashes: sourceHashes,
    readSent: holds || options.isSelected !== undefined ? await sentReader(files, settings) : undefined,
  })
  try {
    const { isStopped, held, diagnostics } = admission
    if (isStopped) return { ...emptyResult(options), diagnostics }
    if (mode === 'sync') removeCleanMark(files.mark)
    // Loaded on demand: a run that finds nothing changed needs neither planner nor HTML parser.
    options.onStage?.('load')
    const { syncContent } = await import('./sync-content.ts')
    const revisionBefore = await options.readRevision?.()
    const { result, ownRevisions, target } = await syncContent({ ...open.content, diagnostics }, files, {
      ...options,
      held: holds ? held : undefined,
      announced,
    })
    if (mode === 'plan') return result
    const expectedRevision = (revisionBefore ?? 0) + ownRevisions
    const finished = { ...looked, sourceHashes, open, result, target, expectedRevision }
    return { ...result, unrecorded: await recordRun(options, finished) }
  } finally {
    open.cache.close()
  }
}

/** No lock, for a run that writes nothing. */
const NO_LOCK = { unlock: () => undefined, hasWaited: false }

async function checkUnchanged(
  options: SyncContentOptions,
  question: Omit<UnchangedQuestion, 'readRevision' | 'mostEdited' | 'prune'>,
): Promise<Unchanged> {
  const { readRevision, verify, prune, isSelected, settings, concurrency } = options
  const needsPlan = options.savesPlan === true || options.savedPlan !== undefined
  // The result of a function in the configuration depends on modules that are not checked here.
  const mayBeSkipped =
    readRevision !== undefined && !settings.hasFunctions && !verify && !needsPlan && isSelected === undefined
  if (!mayBeSkipped) return { kind: 'changed', identity: await identify(question), edited: undefined }
  const mostEdited = options.diff === true ? 0 : concurrency
  return findUnchanged({ ...question, readRevision, mostEdited, prune })
}

interface ContentRequest {
  readonly found: FoundSources
  readonly files: StateFiles
  readonly hashes: FileDigests
  /** Undefined if the run holds nothing back. */
  readonly readSent: (() => ReadonlyMap<string, SentVersion>) | undefined
}

interface AdmittedContent {
  readonly open: OpenContent
  readonly admission: Admission
  /** Set if the target was asked for its extensions. */
  readonly announced?: Announcement | undefined
}

interface AdmitOptions extends SyncContentOptions {
  readonly onError: OnError
  readonly onCompiled: () => void
}

/**
 * Opens the content for the target. If articles use files, a remote target is asked whether it stores files. If it does
 * not, the content is opened again: then these files are problems of their articles.
 */
async function openForTarget(options: AdmitOptions, request: ContentRequest): Promise<AdmittedContent> {
  const { settings } = options
  if (settings.assets.storage !== 'unknown') return openAdmitted(options, request)
  const openWith = (storage: FileStorage) =>
    openAdmitted({ ...options, settings: withStorage(settings, storage) }, request)
  const opened = await openWith('offered')
  const { content, cache } = opened.open
  if (!usesStoredFiles(content)) return opened
  try {
    const { storage, announced } = await askForStorage(request.files, options)
    if (storage === 'offered') return { ...opened, announced }
    cache.close()
    return { ...(await openWith(storage)), announced }
  } catch (error) {
    cache.close()
    throw error
  }
}

/**
 * Returns whether the target stores files. If the target neither answers nor has ever announced its extensions, storage
 * is assumed, and the run ends with its next request.
 *
 * @throws KbError INTERRUPTED, and what connecting throws
 */
async function askForStorage(
  files: StateFiles,
  { settings, connect, now, verify, signal }: SyncContentOptions,
): Promise<{ readonly storage: FileStorage; readonly announced: Announcement | undefined }> {
  // Loaded on demand, like the rest of a run that sends something.
  const [{ loadWritten }, { createExtensions }] = await Promise.all([
    import('./state/load-past.ts'),
    import('./remote/extensions.ts'),
  ])
  const state = loadWritten(files, settings.project)
  const session = await connect({ readOnly: true, signal })
  try {
    const extensions = createExtensions(session.client, state, { nowMs: now().getTime(), verify })
    const offers = await extensions.ask()
    const announced = extensions.known()
    const isKnown = announced !== undefined || state.extensions !== undefined
    return { storage: offers.files || !isKnown ? 'offered' : 'absent', announced }
  } finally {
    await session.close()
  }
}

/**
 * Opens the content and decides which articles are sent. Only then is it known whether a link leads to an article that
 * is held back, so if such an article has another slug on the target, all links are resolved again.
 */
async function openAdmitted(
  { settings, onError, isSelected, onProgress, onStage, onCompiled, signal }: AdmitOptions,
  { found, hashes, readSent }: ContentRequest,
): Promise<AdmittedContent> {
  const request = { hashes, onProgress, onStage, onCompiled, signal, readSent }
  const open = await openContent(settings, found, request)
  const { content, cache } = open
  const admission = admitContent(content, onError, isSelected, contentPrefix(settings))
  const { isStopped, held } = admission
  const addresses =
    isStopped || held.size === 0 || readSent === undefined
      ? NO_ADDRESSES
      : listKeptAddresses(content.articles, held, readSent())
  if (addresses.size === 0) return { open, admission }
  cache.close()
  return { open: await openContent(settings, found, { ...request, addresses }), admission }
}

const NO_ADDRESSES: ReturnType<typeof listKeptAddresses> = new Map()

/** Loaded on demand: only runs that may hold articles back need it before the planner. */
async function sentReader(files: StateFiles, { project }: Settings) {
  const { loadPast, listSent } = await import('./state/load-past.ts')
  return () => listSent(loadPast(files, project))
}

const NOTHING: Summary = summarise([], 0, 0)

function emptyResult({ target }: SyncContentOptions): SyncResult {
  return {
    target: target.name,
    summary: NOTHING,
    taxonomy: NOTHING,
    operations: [],
    orphans: [],
    diagnostics: [],
    requests: {},
    guard: undefined,
    failure: undefined,
  }
}

function unchangedResult(options: SyncContentOptions, files: StateFiles, mark: CleanMark): SyncResult {
  const result = {
    ...emptyResult(options),
    summary: { ...NOTHING, unchanged: mark.articles, orphans: mark.orphans },
    taxonomy: { ...NOTHING, unchanged: mark.taxonomy },
  }
  return withStoredWarnings(result, files, mark, options)
}

/** A run for a few edited articles; undefined if it must be a full one. */
async function runEdits({ last, sources }: EditedSources, looked: RunFiles, options: SyncContentOptions) {
  options.onStage?.('load')
  // Loaded on demand, like the rest of a run that sends something.
  const { syncEdits } = await import('./sync-edits.ts')
  const run = await syncEdits(sources, last, looked, options)
  return run && recordEdits(last.mark, run, looked, options)
}
