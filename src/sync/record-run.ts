// Records for the next run that files and target are equal.
import type { FoundSources } from '../content/source/find-sources.ts'
import { digestHashes, type FileDigests, isSettled, stampTree } from '../content/source/hash-sources.ts'
import type { Settings } from '../core/config/settings.ts'
import { digestParts } from '../core/digest.ts'
import type { OpenContent } from './open-content.ts'
import { type ContentIdentity, hashUsed } from './find-unchanged.ts'
import {
  type CleanMark,
  explainWriteFailure,
  loadWarnings,
  writeCleanMark,
  writeCleanRun,
} from './state/clean-mark.ts'
import { appendRunArticles, writeRunArticles } from './state/run-articles.ts'
import { type KnownTarget, type MarkedEdit, trusted } from './state/run-index.ts'
import type { StateFiles } from './state/workspace.ts'
import type { EditsRun } from './sync-edits.ts'
import { hasErrors, type SyncContentOptions, type SyncResult } from './sync-options.ts'

/** The content of a run as it was found and read. */
export interface RunFiles {
  readonly found: FoundSources
  readonly files: StateFiles
  readonly identity: ContentIdentity
  /** Unix time when the content was checked, in milliseconds. */
  readonly startedMs: number
}

interface DoneRun extends RunFiles {
  /** Digests of the articles and taxonomy files. */
  readonly sourceHashes: FileDigests
  readonly open: OpenContent
  readonly result: SyncResult
  readonly target: KnownTarget | undefined
  /** The revision of the database if only this run has written. */
  readonly expectedRevision: number
}

/**
 * Records that files and target are equal. Returns the reason if that is not possible, or if the next run must check
 * all files again. Returns undefined if it is recorded, and for a remote target: a run always asks a remote target, so
 * only reports use the record.
 */
export async function recordRun(options: SyncContentOptions, run: DoneRun): Promise<string | undefined> {
  options.onStage?.('record')
  const unrecorded = await recordClean(options, run)
  return options.readRevision === undefined ? undefined : unrecorded
}

async function recordClean(options: SyncContentOptions, run: DoneRun): Promise<string | undefined> {
  const { settings, readRevision, isSelected, savedPlan, prune } = options
  if (!isClean(run.result) || hasErrors(run.result)) return INCOMPLETE
  if (isSelected !== undefined || savedPlan?.shard !== undefined) return 'the run covered only some articles'
  const revision = await readRevision?.()
  if (readRevision !== undefined && revision !== run.expectedRevision)
    return explainRevision(revision, run.expectedRevision)
  const { files, identity, open, result, target, startedMs } = run
  const { tree, assets, hashes, areAssetsSame, isTreeSettled } = await compareAssets(settings, run)
  const mayTrustStamps = identity.stamps !== undefined && areAssetsSame && isTreeSettled
  const { summary, taxonomy, diagnostics, drafts = 0 } = result
  const digestOfAll = digestHashes(hashes)
  const mark: CleanMark = {
    version: 2,
    settingsDigest: settings.settingsDigest,
    stamps: mayTrustStamps ? tree.stamps : undefined,
    hashes: digestOfAll,
    assets,
    revision,
    articles: summary.unchanged + summary.created + summary.replaced + summary.updated,
    drafts,
    taxonomy: taxonomy.unchanged + taxonomy.created + taxonomy.updated,
    orphans: summary.orphans,
    hasPruned: prune && summary.orphans === 0,
    warnings: diagnostics.length,
    run: digestParts([digestOfAll, String(revision), String(startedMs)]),
    edits: [],
  }
  const known = tree.files.map((file) => trusted({ ...file, hash: hashes.get(file.source) ?? '' }, startedMs))
  const isIndexed = target !== undefined && areAssetsSame && open.content.rejected.size === 0
  const index = isIndexed ? { run: mark.run, files: known, ...open.content.index(), target } : undefined
  if (isIndexed)
    await explainWriteFailure(
      files.articles,
      writeRunArticles(files.articles, mark.run, open.content.articles),
    )
  const failed = await writeCleanRun(files, mark, index, diagnostics)
  if (failed !== undefined) return failed
  if (settings.hasFunctions) return 'the configuration contains functions, which cannot be compared'
  if (!areAssetsSame) return 'an image or a snippet was changed during the run'
  return mayTrustStamps ? undefined : TOO_YOUNG
}

/** Stamps and digests of all files. An image or snippet may have changed since it was read. */
async function compareAssets({ contentRoot }: Settings, { found, open, sourceHashes, startedMs }: DoneRun) {
  const used = filesUsedBy(open, found)
  const unusable = open.content.unusableAssets().filter((source) => !used.has(source))
  const assets = [...used.keys(), ...unusable]
  const tree = stampTree(contentRoot, found, assets)
  const isTreeSettled = isSettled(tree, startedMs)
  // The bytes of an unusable file when it was read are unknown, so one without a reliable stamp counts as changed.
  const unread = await hashUsed(contentRoot, isTreeSettled ? unusable : [])
  return {
    tree,
    assets,
    hashes: new Map([
      ...sourceHashes,
      // If they have changed, the next run compares the bytes that were read.
      ...used,
      ...unusable.map((source) => [source, unread.get(source) ?? ''] as const),
    ]),
    areAssetsSame: digestHashes(await hashUsed(contentRoot, [...used.keys()])) === digestHashes(used),
    isTreeSettled,
  }
}

const INCOMPLETE = 'the run was not complete'

const TOO_YOUNG =
  'files were changed less than two seconds before the run, so the contents of all files are compared'

function explainRevision(revision: number | undefined, expected: number): string {
  return `another program wrote to the database during the run (its revision is ${revision ?? 'unknown'} instead of ${expected})`
}

/**
 * Returns the result of a run for edited articles, with the warnings of all others. Records again that files and target
 * are equal.
 */
export async function recordEdits(
  before: CleanMark,
  { result, ownRevisions, edits, articles, more }: EditsRun,
  { files, identity, startedMs }: RunFiles,
  options: SyncContentOptions,
): Promise<SyncResult> {
  const { mode, readRevision, onStage } = options
  const mark = {
    ...before,
    drafts: before.drafts + more.drafts,
    warnings: before.warnings + more.warnings,
    edits: mergeEdits(before.edits, edits),
  }
  const shown = (unrecorded?: string) => withStoredWarnings({ ...result, unrecorded }, files, mark, options)
  if (mode === 'plan') return shown()
  onStage?.('record')
  if (!isClean(result)) return shown(INCOMPLETE)
  const revision = await readRevision?.()
  const expected = (before.revision ?? 0) + ownRevisions
  if (revision !== expected) return shown(explainRevision(revision, expected))
  // Without them, a report loads all articles.
  await explainWriteFailure(files.articles, appendRunArticles(files.articles, articles))
  const { stamps } = identity
  const failed = await writeCleanMark(files.mark, {
    ...mark,
    stamps,
    hashes: undefined,
    revision,
    edits: mark.edits.map((edit) =>
      edit.file === undefined ? edit : { ...edit, file: trusted(edit.file, startedMs) },
    ),
  })
  return shown(failed ?? (stamps === undefined ? TOO_YOUNG : undefined))
}

/** Merges edits. The last edit of an article counts; an edit of its links alone does not change its file. */
function mergeEdits(before: readonly MarkedEdit[], now: readonly MarkedEdit[]): MarkedEdit[] {
  const merged = new Map(before.map((edit) => [edit.source, edit]))
  for (const edit of now)
    merged.set(edit.source, { ...edit, file: edit.file ?? merged.get(edit.source)?.file })
  return [...merged.values()]
}

/** Returns the result of a run that began after a clean one and therefore holds nothing back. */
export function withStoredWarnings(
  result: Omit<SyncResult, 'diagnostics'>,
  files: StateFiles,
  mark: CleanMark,
  { onError }: Pick<SyncContentOptions, 'onError'>,
): SyncResult {
  let loaded: SyncResult['diagnostics'] | undefined
  return {
    ...result,
    ...(onError === 'hold' && { heldBack: [] }),
    warnings: mark.warnings,
    get diagnostics() {
      return (loaded ??= loadWarnings(files, mark))
    },
  }
}

function isClean({ operations, guard, failure }: Omit<SyncResult, 'diagnostics'>): boolean {
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
