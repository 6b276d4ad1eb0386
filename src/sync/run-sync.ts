import {
  type FileDigests,
  digestHashes,
  hashSources,
  isSettled,
  stampTree,
} from '../content/source/hash-sources.ts'
import type { FoundSources } from '../content/source/find-sources.ts'
import type { Settings } from '../core/config/settings.ts'
import type { Summary } from '../core/model/plan.ts'
import { summarise } from './plan/summarise.ts'
import { type CleanMark, loadCleanMark, removeCleanMark, writeCleanMark } from './state/clean-mark.ts'
import { prepareWorkspace, workspaceOf, stateFiles } from './state/workspace.ts'
import { type OpenContent, findContent, openContent } from './content-project.ts'
import type { SyncContentOptions, SyncResult } from './sync-options.ts'
import { waitForLock } from './state/lock.ts'

/**
 * One run of `kb sync` or `kb plan`: pass one reads, checks and renders everything; only when it is clean, pass two
 * compares with the target and sends.
 *
 * @throws KbError where the run could not begin; what happens later is in the result
 */
export async function runSync(options: SyncContentOptions): Promise<SyncResult> {
  const { settings, mode, now } = options
  const foundBefore = await findContent(settings)
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const files = stateFiles(options.target, settings, workspace)
  const { unlock, hasWaited } = mode === 'sync' ? await waitForLock(files.lock, options) : NO_LOCK
  let discardSession: (() => Promise<void>) | undefined
  try {
    const found = hasWaited ? await findContent(settings) : foundBefore
    const question = { settings, found, markFile: files.mark, now: now().getTime() }
    const seen = await look(options, question)
    if (seen.kind === 'unchanged') return unchangedResult(options, seen.mark)
    const { identity } = seen
    discardSession = options.connect.prepare?.()
    const open = await openContent(settings, found, {
      hashes: identity.hashes,
      onProgress: options.onProgress,
      signal: options.signal,
    })
    try {
      if (hasErrors(open)) return rejectedResult(options, open)
      if (mode === 'sync') removeCleanMark(files.mark)
      // Loaded here: a run that finds nothing changed needs neither planner nor HTML parser.
      const { syncContent } = await import('./sync-content.ts')
      const revisionBefore = await options.readRevision?.()
      const { result, ownRevisions } = await syncContent(open.content, files, options)
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

/** Who writes nothing needs none. */
const NO_LOCK = { unlock: () => undefined, hasWaited: false }

type Question = Omit<Parameters<typeof findUnchanged>[0], 'readRevision'>

async function look(options: SyncContentOptions, question: Question): ReturnType<typeof findUnchanged> {
  const { readRevision, verify, prune, isSelected, settings } = options
  const needsPlan = options.savesPlan === true || options.savedPlan !== undefined
  // What a function of the configuration makes of its modules cannot be told from here.
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

function hasErrors({ content }: OpenContent): boolean {
  return content.diagnostics.some(({ severity }) => severity === 'error')
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

function rejectedResult(options: SyncContentOptions, { content }: OpenContent): SyncResult {
  return { ...emptyResult(options), diagnostics: content.diagnostics }
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
    // An article may be included as well.
    ...included.filter(([source]) => !own.has(source)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])
}

/**
 * Records that files and target are equal now; says what keeps it from that, or makes the next run check all files
 * again. Undefined where all is well, and for a target that has to be asked in any case.
 */
async function markClean(
  file: string,
  { settings, readRevision, isSelected }: SyncContentOptions,
  run: {
    readonly found: FoundSources
    readonly identity: ContentIdentity
    readonly open: OpenContent
    readonly result: SyncResult
    /** When the content was checked, in milliseconds since 1970. */
    readonly startedMs: number
    /** What the revision is if no one but this run has written. */
    readonly expectedRevision: number
  },
): Promise<string | undefined> {
  if (readRevision === undefined) return undefined
  if (!isClean(run.result)) return 'the run was not complete'
  if (isSelected !== undefined) return 'the run covered only some articles'
  const revision = await readRevision()
  if (revision === undefined || revision !== run.expectedRevision)
    return `another program wrote to the database during the run (its revision is ${revision ?? 'unknown'} instead of ${run.expectedRevision})`
  const { found, identity, open, result, startedMs } = run
  const assets = filesUsedBy(open, found)
  const stamped = stampTree(settings.contentRoot, found, [...assets.keys()])
  // An image or snippet may have changed since it was read: then its bytes, as they were, decide the next time.
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

/** What a run learned of the content's identity on its way; spares the next step from reading the files twice. */
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
  /** The database's revision counter; undefined where there is no database. */
  readonly readRevision: () => Promise<number | undefined>
  readonly now: number
}

/**
 * Whether everything is as the last clean run left it: first by the stamps of the files, then, where some were touched,
 * by their bytes (a fresh checkout touches all and changes none).
 */
async function findUnchanged(question: UnchangedQuestion): Promise<Unchanged> {
  const { settings, found, markFile } = question
  const mark = loadCleanMark(markFile)
  // A file that cannot be read was an article, or would be one.
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

/** Stamps and bytes of all files that decide what is sent. */
async function identify(
  { settings, found, now }: Omit<UnchangedQuestion, 'markFile' | 'readRevision'>,
  assets: readonly string[],
): Promise<ContentIdentity> {
  const { stamps, newestMs } = stampTree(settings.contentRoot, found, assets)
  const sources = [...found.articles, ...found.taxonomy].map(({ source }) => source)
  return {
    stamps: isSettled({ newestMs }, now) ? stamps : undefined,
    hashes: new Map([
      ...hashSources(settings.contentRoot, sources),
      ...(await hashUsed(settings.contentRoot, assets)),
    ]),
  }
}

/** Digests of images and snippets by source; what reads them with care is loaded only where there are any. */
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
