// Finds what has changed since the last run after which files and target were equal.
import type { FoundSources } from '../content/source/find-sources.ts'
import {
  type FileDigests,
  digestHashes,
  hashSources,
  isSettled,
  stampTree,
  type TreeDigest,
} from '../content/source/hash-sources.ts'
import type { Settings } from '../core/config/settings.ts'
import { type CleanMark, explainWriteFailure, loadCleanMark, writeCleanMark } from './state/clean-mark.ts'
import { compareFiles, openRunIndex, renewRunIndex, type RunIndex, trusted } from './state/run-index.ts'
import type { StateFiles } from './state/workspace.ts'
import type { LastRun } from './sync-edits.ts'
import type { SyncContentOptions } from './sync-options.ts'

/** Stamps and hashes that a run has already computed, so that the next step does not read the files again. */
export interface ContentIdentity {
  /** Digest of all stamps; undefined if a file is too young to trust its stamp. */
  readonly stamps: string | undefined
  readonly hashes: () => FileDigests
}

export type Unchanged =
  | { readonly kind: 'unchanged'; readonly mark: CleanMark }
  | {
      readonly kind: 'changed'
      readonly identity: ContentIdentity
      /** Undefined if other files may have changed as well. */
      readonly edited: EditedSources | undefined
    }

/** The only files that have changed since the last run. */
export interface EditedSources {
  readonly last: LastRun
  readonly sources: readonly string[]
}

export interface UnchangedQuestion {
  readonly settings: Settings
  readonly found: FoundSources
  readonly files: StateFiles
  /** The database's revision counter; undefined if there is no database. */
  readonly readRevision: () => Promise<number | undefined>
  readonly now: number
  readonly onStage: SyncContentOptions['onStage']
  /** Maximum number of changed files; above it, a full run is faster. */
  readonly mostEdited: number
  readonly prune: boolean
}

/** Maximum number of changes stored beside an index. The next full run starts with none. */
const MOST_EDITS = 500

/**
 * Checks whether everything is unchanged since the last clean run: first by the stamps of the files, then, if some were
 * touched, by their bytes. A fresh checkout touches all files and changes none.
 */
export async function findUnchanged(question: UnchangedQuestion): Promise<Unchanged> {
  const { settings, found, files, mostEdited, prune } = question
  const mark = loadCleanMark(files)
  // An unreadable file was an article, or would be one.
  const isCurrent =
    found.unread.length === 0 &&
    mark?.settingsDigest === settings.settingsDigest &&
    (!prune || mark.hasPruned === true) &&
    (await question.readRevision()) === mark.revision
  if (mark === undefined || !isCurrent)
    return { kind: 'changed', identity: await identify(question), edited: undefined }
  const tree = stampTree(settings.contentRoot, found, mark.assets)
  if (tree.stamps === mark.stamps) return { kind: 'unchanged', mark }
  const index = openRunIndex(files.index, mark)
  const { changed, ...identity } = await compareTree(tree, question, { assets: mark.assets, index })
  const isSame = index === undefined ? digestHashes(identity.hashes()) === mark.hashes : changed?.length === 0
  if (isSame) {
    await renewStamps(question, { mark, index }, { tree, identity })
    return { kind: 'unchanged', mark }
  }
  const isFew =
    changed !== undefined && changed.length <= mostEdited && mark.edits.length + changed.length < MOST_EDITS
  return {
    kind: 'changed',
    identity,
    edited: isFew && index !== undefined ? { last: { mark, index }, sources: changed } : undefined,
  }
}

/** The files that were edited since the last clean run of any target; undefined if there may be others. */
export async function findEdited(
  question: Pick<UnchangedQuestion, 'settings' | 'found' | 'files'>,
): Promise<EditedSources | undefined> {
  const { settings, found, files } = question
  const mark = loadCleanMark(files)
  if (mark?.settingsDigest !== settings.settingsDigest || settings.hasFunctions || found.unread.length > 0)
    return undefined
  const index = openRunIndex(files.index, mark)
  if (index === undefined) return undefined
  const tree = stampTree(settings.contentRoot, found, mark.assets)
  if (tree.stamps === mark.stamps) return { last: { mark, index }, sources: [] }
  const context = { settings, found, now: 0, onStage: undefined }
  const { changed } = await compareTree(tree, context, { assets: mark.assets, index })
  return changed && { last: { mark, index }, sources: changed }
}

/** Stores the stamps of a fresh checkout, so that the next run need not read all files again. */
async function renewStamps(
  { files, now }: UnchangedQuestion,
  { mark, index }: { readonly mark: CleanMark; readonly index: RunIndex | undefined },
  { tree, identity }: { readonly tree: TreeDigest; readonly identity: ContentIdentity },
): Promise<void> {
  const hashes = identity.hashes()
  const renewed = tree.files.map((file) => trusted({ ...file, hash: hashes.get(file.source) ?? '' }, now))
  const bySource = new Map(renewed.map((file) => [file.source, file]))
  const edits = mark.edits.map((edit) => ({ ...edit, file: edit.file && bySource.get(edit.source) }))
  const renewal = index && renewRunIndex(files.index, index, renewed)
  if (renewal !== undefined && (await explainWriteFailure(files.index, renewal)) !== undefined) return
  await writeCleanMark(files.mark, { ...mark, stamps: identity.stamps, edits })
}

type IdentityContext = Pick<UnchangedQuestion, 'settings' | 'found' | 'now' | 'onStage'>

/** Reads all files that determine what is sent. */
export function identify(context: IdentityContext): Promise<ContentIdentity> {
  const tree = stampTree(context.settings.contentRoot, context.found, [])
  return compareTree(tree, context, { assets: [], index: undefined })
}

/** Reads the files that are not in the index. */
async function compareTree(
  { files, stamps, newestMs }: TreeDigest,
  { settings: { contentRoot }, now, onStage }: IdentityContext,
  { assets, index }: { readonly assets: readonly string[]; readonly index: RunIndex | undefined },
) {
  onStage?.('hash')
  const compared = index && compareFiles(files, index)
  const touched = (compared?.touched ?? files).map(({ source }) => source)
  const used = new Set(assets)
  const read = new Map([
    ...hashSources(
      contentRoot,
      touched.filter((source) => !used.has(source)),
    ),
    ...(await hashUsed(
      contentRoot,
      touched.filter((source) => used.has(source)),
    )),
  ])
  return {
    stamps: isSettled({ newestMs }, now) ? stamps : undefined,
    hashes: () =>
      new Map(
        files.map(({ source }, at) => [source, read.has(source) ? read.get(source) : compared?.known[at]]),
      ),
    /** Undefined if files were added or removed, or without an index. */
    changed:
      compared?.areSame === true
        ? compared.touched.flatMap(({ source, before }) =>
            (read.get(source) ?? '') === before ? [] : [source],
          )
        : undefined,
  }
}

/** Digests of images and snippets by source. The code that reads them is loaded only if there are any. */
export async function hashUsed(
  contentRoot: string,
  sources: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (sources.length === 0) return new Map()
  const { hashAssets } = await import('../content/assets/open-inside.ts')
  return hashAssets(contentRoot, sources)
}

/** Digests of the articles and taxonomy files alone. */
export function withoutAssets(hashes: FileDigests, { articles, taxonomy }: FoundSources): FileDigests {
  return new Map([...articles, ...taxonomy].map(({ source }) => [source, hashes.get(source)]))
}
