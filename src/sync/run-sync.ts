import {
  type FileDigests,
  digestHashes,
  hashSources,
  isSettled,
  stampTree,
} from '../content/source/hash-sources.ts'
import type { FoundSources } from '../content/source/find-sources.ts'
import type { SentVersion } from '../content/pipeline/build-corpus.ts'
import type { OnError } from '../core/config/schema.ts'
import type { Settings } from '../core/config/settings.ts'
import type { Summary } from '../core/model/plan.ts'
import { summarise } from './plan/summarise.ts'
import { type CleanMark, loadCleanMark, removeCleanMark, writeCleanMark } from './state/clean-mark.ts'
import { prepareWorkspace, type StateFiles, workspaceOf, stateFiles } from './state/workspace.ts'
import { type OpenContent, contentPrefix, findContent, openContent } from './content-project.ts'
import { type Admission, admitContent, listKeptAddresses } from './admit-content.ts'
import type { SyncContentOptions, SyncResult } from './sync-options.ts'
import { waitForLock } from './state/lock.ts'

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
    const question = { settings, found, markFile: files.mark, now: now().getTime(), onStage: options.onStage }
    const seen = await look(options, question)
    if (seen.kind === 'unchanged') return unchangedResult(options, seen.mark)
    const { identity } = seen
    discardSession = await options.connect.prepare?.()
    const { open, admission } = await openAdmitted(
      { ...options, onError },
      found,
      identity.hashes,
      onError === 'hold' || options.isSelected !== undefined ? await sentReader(files, settings) : undefined,
    )
    try {
      const { isStopped, held, diagnostics } = admission
      if (isStopped) return { ...emptyResult(options), diagnostics }
      if (mode === 'sync') removeCleanMark(files.mark)
      // Loaded on demand: a run that finds nothing changed needs neither planner nor HTML parser.
      options.onStage?.('load')
      const { syncContent } = await import('./sync-content.ts')
      const revisionBefore = await options.readRevision?.()
      const { result, ownRevisions } = await syncContent({ ...open.content, diagnostics }, files, {
        ...options,
        held: onError === 'hold' ? held : undefined,
      })
      if (mode === 'plan') return result
      const expectedRevision = (revisionBefore ?? 0) + ownRevisions
      const run = { found, identity, open, result, startedMs: question.now, expectedRevision }
      return { ...result, unrecorded: await markClean(files.mark, options, run) }
    } finally {
      open.cache.close()
    }
  } finally {
    await discardSession?.()
    unlock()
  }
}

/** A run that writes nothing needs no lock. */
const NO_LOCK = { unlock: () => undefined, hasWaited: false }

type Question = Omit<Parameters<typeof findUnchanged>[0], 'readRevision'>

async function look(options: SyncContentOptions, question: Question): ReturnType<typeof findUnchanged> {
  const { readRevision, verify, prune, isSelected, settings } = options
  const needsPlan = options.savesPlan === true || options.savedPlan !== undefined
  // The result of a function in the configuration depends on modules that are not checked here.
  const mayBeSkipped =
    readRevision !== undefined &&
    !settings.hasFunctions &&
    !verify &&
    !prune &&
    !needsPlan &&
    isSelected === undefined
  if (!mayBeSkipped) return { kind: 'changed', identity: await identify(question, []) }
  return findUnchanged({ ...question, readRevision })
}

/**
 * Opens the content and decides which articles are sent. Whether a link leads to an article that is held back is known
 * only then, so if such an article has another address on the target, all links are resolved again.
 *
 * @param readSent undefined if the run holds nothing back
 */
async function openAdmitted(
  {
    settings,
    onError,
    isSelected,
    onProgress,
    onStage,
    signal,
  }: SyncContentOptions & { readonly onError: OnError },
  found: FoundSources,
  hashes: FileDigests,
  readSent: (() => ReadonlyMap<string, SentVersion>) | undefined,
): Promise<{ readonly open: OpenContent; readonly admission: Admission }> {
  const request = { hashes, onProgress, onStage, signal, readSent }
  const open = await openContent(settings, found, request)
  const { content, cache } = open
  const admission = admitContent(content, { onError, isSelected, prefix: contentPrefix(settings) })
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
async function sentReader(
  files: StateFiles,
  { project }: Settings,
): Promise<() => ReadonlyMap<string, SentVersion>> {
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

function unchangedResult(options: SyncContentOptions, mark: CleanMark): SyncResult {
  return {
    ...emptyResult(options),
    summary: { ...NOTHING, unchanged: mark.articles, orphans: mark.orphans },
    taxonomy: { ...NOTHING, unchanged: mark.taxonomy },
    diagnostics: mark.diagnostics,
  }
}

function isClean({ operations, guard, failure }: SyncResult): boolean {
  return guard === undefined && failure === undefined && operations.every(({ outcome }) => outcome === 'done')
}

/** Digests of the images and snippets that articles use, by source. */
function filesUsedBy({ content }: OpenContent, { articles }: FoundSources): Map<string, string> {
  const own = new Set(articles.map(({ source }) => source))
  const included = [...content.includes.values()].flatMap((files) => [...files])
  return new Map([
    ...content.assets.map(({ source, hash }) => [source, hash] as const),
    // An article may also be included in another one.
    ...included.filter(([source]) => !own.has(source)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])
}

/**
 * Records that files and target are equal. Returns the reason if that is not possible, or if the next run must check
 * all files again; undefined if it is recorded, and for a remote target, which must always be asked.
 */
async function markClean(
  file: string,
  { settings, readRevision, isSelected, onStage }: SyncContentOptions,
  run: {
    readonly found: FoundSources
    readonly identity: ContentIdentity
    readonly open: OpenContent
    readonly result: SyncResult
    /** Unix time of the check of the content, in milliseconds. */
    readonly startedMs: number
    /** The revision if only this run has written. */
    readonly expectedRevision: number
  },
): Promise<string | undefined> {
  if (readRevision === undefined) return undefined
  onStage?.('record')
  if (!isClean(run.result)) return 'the run was not complete'
  if (isSelected !== undefined) return 'the run covered only some articles'
  const revision = await readRevision()
  if (revision === undefined || revision !== run.expectedRevision)
    return `another program wrote to the database during the run (its revision is ${revision ?? 'unknown'} instead of ${run.expectedRevision})`
  const { found, identity, open, result, startedMs } = run
  const assets = filesUsedBy(open, found)
  const stamped = stampTree(settings.contentRoot, found, [...assets.keys()])
  // An image or snippet may have changed since it was read. Then the next run compares the bytes that were read.
  const areAssetsSame =
    digestHashes(await hashUsed(settings.contentRoot, [...assets.keys()])) === digestHashes(assets)
  const mayTrustStamps = identity.stamps !== undefined && areAssetsSame && isSettled(stamped, startedMs)
  const hashes = new Map([...identity.hashes, ...assets])
  const { summary, taxonomy, diagnostics } = result
  const failed = await writeCleanMark(file, {
    version: 1,
    settingsDigest: settings.settingsDigest,
    stamps: mayTrustStamps ? stamped.stamps : undefined,
    hashes: digestHashes(hashes),
    assets: [...assets.keys()],
    revision,
    articles: summary.unchanged + summary.created + summary.replaced + summary.updated,
    taxonomy: taxonomy.unchanged + taxonomy.created + taxonomy.updated,
    orphans: summary.orphans,
    diagnostics,
  })
  if (failed !== undefined) return failed
  if (settings.hasFunctions) return 'the configuration contains functions, which cannot be compared'
  if (!areAssetsSame) return 'an image or a snippet was changed during the run'
  return mayTrustStamps
    ? undefined
    : 'files were changed less than two seconds before the run, so the contents of all files are compared'
}

/** Stamps and hashes that a run has already computed, so that the next step does not read the files again. */
interface ContentIdentity {
  readonly stamps: string | undefined
  readonly hashes: FileDigests
}

type Unchanged =
  | { readonly kind: 'unchanged'; readonly mark: CleanMark }
  | { readonly kind: 'changed'; readonly identity: ContentIdentity }

interface UnchangedQuestion {
  readonly settings: Settings
  readonly found: FoundSources
  readonly markFile: string
  /** The database's revision counter; undefined if there is no database. */
  readonly readRevision: () => Promise<number | undefined>
  readonly now: number
  readonly onStage: SyncContentOptions['onStage']
}

/**
 * Checks if everything is unchanged since the last clean run: first by the stamps of the files, then, if some were
 * touched, by their bytes. A fresh checkout touches all files and changes none.
 */
async function findUnchanged(question: UnchangedQuestion): Promise<Unchanged> {
  const { settings, found, markFile } = question
  const mark = loadCleanMark(markFile)
  // An unreadable file was an article, or would be one.
  const isCurrent =
    found.unread.length === 0 &&
    mark?.settingsDigest === settings.settingsDigest &&
    (await question.readRevision()) === mark.revision
  if (mark === undefined || !isCurrent) return { kind: 'changed', identity: await identify(question, []) }
  const tree = stampTree(settings.contentRoot, found, mark.assets)
  if (tree.stamps === mark.stamps) return { kind: 'unchanged', mark }
  const identity = await identify(question, mark.assets)
  if (digestHashes(identity.hashes) !== mark.hashes)
    return { kind: 'changed', identity: withoutAssets(identity, found) }
  await writeCleanMark(markFile, { ...mark, stamps: identity.stamps })
  return { kind: 'unchanged', mark }
}

/** Stamps and hashes of all files that determine what is sent. */
async function identify(
  { settings, found, now, onStage }: Omit<UnchangedQuestion, 'markFile' | 'readRevision'>,
  assets: readonly string[],
): Promise<ContentIdentity> {
  const { stamps, newestMs } = stampTree(settings.contentRoot, found, assets)
  const sources = [...found.articles, ...found.taxonomy].map(({ source }) => source)
  onStage?.('hash')
  return {
    stamps: isSettled({ newestMs }, now) ? stamps : undefined,
    hashes: new Map([
      ...hashSources(settings.contentRoot, sources),
      ...(await hashUsed(settings.contentRoot, assets)),
    ]),
  }
}

/** Digests of images and snippets by source. The code that reads them is loaded only if there are any. */
async function hashUsed(
  contentRoot: string,
  sources: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (sources.length === 0) return new Map()
  const { hashAssets } = await import('../content/assets/open-inside.ts')
  return hashAssets(contentRoot, sources)
}

function withoutAssets(
  { stamps, hashes }: ContentIdentity,
  { articles, taxonomy }: FoundSources,
): ContentIdentity {
  const kept = [...articles, ...taxonomy].map(({ source }) => [source, hashes.get(source)] as const)
  return { stamps, hashes: new Map(kept) }
}
