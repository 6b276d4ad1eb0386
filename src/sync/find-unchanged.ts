// What has changed since the last run that left files and target equal.
import { type FileStamp, formatStamp, type FoundSources } from '../content/source/find-sources.ts'
import {
  type FileDigests,
  digestHashes,
  hashSources,
  isSettled,
  stampTree,
} from '../content/source/hash-sources.ts'
import type { Settings } from '../core/config/settings.ts'
import {
  type CleanMark,
  type IndexedFile,
  loadCleanMark,
  loadRunIndex,
  type RunIndex,
  UNTRUSTED_SIZE,
  writeCleanMark,
  writeRunIndex,
} from './state/clean-mark.ts'
import type { StateFiles } from './state/workspace.ts'
import type { LastRun } from './sync-edits.ts'
import type { SyncContentOptions } from './sync-options.ts'

/** Stamps and hashes that a run has already computed, so that the next step does not read the files again. */
export interface ContentIdentity {
  readonly tree: readonly FileStamp[]
  readonly stamps: string | undefined
  readonly hashes: FileDigests
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
  /** Limit of changed files above which a full run is faster. */
  readonly mostEdited: number
}

/** Limit of changes beside an index. The next full run starts with none. */
const MOST_EDITS = 500

/**
 * Checks if everything is unchanged since the last clean run: first by the stamps of the files, then, if some were
 * touched, by their bytes. A fresh checkout touches all files and changes none.
 */
export async function findUnchanged(question: UnchangedQuestion): Promise<Unchanged> {
  const { settings, found, files, mostEdited } = question
  const mark = loadCleanMark(files)
  // An unreadable file was an article, or would be one.
  const isCurrent =
    found.unread.length === 0 &&
    mark?.settingsDigest === settings.settingsDigest &&
    (await question.readRevision()) === mark.revision
  if (mark === undefined || !isCurrent)
    return { kind: 'changed', identity: await identify(question, []), edited: undefined }
  const tree = stampTree(settings.contentRoot, found, mark.assets)
  if (tree.stamps === mark.stamps) return { kind: 'unchanged', mark }
  const index = loadRunIndex(files, mark)
  const identity = await identify(question, mark.assets, index)
  if (digestHashes(identity.hashes) === mark.hashes) {
    await renewStamps(question, mark, index, identity)
    return { kind: 'unchanged', mark }
  }
  const sources = index === undefined ? undefined : listChanged(identity.hashes, index)
  const isFew =
    sources !== undefined && sources.length <= mostEdited && mark.edits.length + sources.length < MOST_EDITS
  return {
    kind: 'changed',
    identity,
    edited: isFew && index !== undefined ? { last: { mark, index }, sources } : undefined,
  }
}

/** Undefined if files were added or removed. */
function listChanged(hashes: FileDigests, { files }: RunIndex): string[] | undefined {
  const known = new Map(files.map(({ source, hash }) => [source, hash]))
  if (known.size !== hashes.size || [...hashes.keys()].some((source) => !known.has(source))) return undefined
  return [...hashes].flatMap(([source, hash]) => (known.get(source) === hash ? [] : [source]))
}

/** After a fresh checkout, the next run need not read all files again. */
async function renewStamps(
  { files, now }: UnchangedQuestion,
  mark: CleanMark,
  index: RunIndex | undefined,
  { stamps, tree }: ContentIdentity,
): Promise<void> {
  const known = new Map(index?.files.map((file) => [file.source, file]))
  const renewed = new Map(
    tree.flatMap((file) => {
      const { hash } = known.get(file.source) ?? {}
      return hash === undefined ? [] : [[file.source, trusted({ ...file, hash }, now)] as const]
    }),
  )
  const edits = mark.edits.map((edit) => ({ ...edit, file: edit.file && renewed.get(edit.source) }))
  if (index !== undefined) await writeRunIndex(files, { ...index, files: [...renewed.values()] })
  await writeCleanMark(files.mark, { ...mark, stamps, edits })
}

/** Stamps and hashes of all files that determine what is sent. Reads those that are not in the index. */
export async function identify(
  { settings, found, now, onStage }: Pick<UnchangedQuestion, 'settings' | 'found' | 'now' | 'onStage'>,
  assets: readonly string[],
  index?: RunIndex,
): Promise<ContentIdentity> {
  const { files, stamps, newestMs } = stampTree(settings.contentRoot, found, assets)
  onStage?.('hash')
  const known = new Map(index?.files.map((file) => [file.source, file]))
  const isKnown = (file: FileStamp) => {
    const before = known.get(file.source)
    return before !== undefined && formatStamp(before) === formatStamp(file)
  }
  const touched = files.filter((file) => !isKnown(file)).map(({ source }) => source)
  const used = new Set(assets)
  const read = new Map([
    ...hashSources(
      settings.contentRoot,
      touched.filter((source) => !used.has(source)),
    ),
    ...(await hashUsed(
      settings.contentRoot,
      touched.filter((source) => used.has(source)),
    )),
  ])
  return {
    stamps: isSettled({ newestMs }, now) ? stamps : undefined,
    tree: files,
    hashes: new Map(
      files.map(({ source }) => [source, read.has(source) ? read.get(source) : known.get(source)?.hash]),
    ),
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

export function withoutAssets(
  { hashes, ...identity }: ContentIdentity,
  { articles, taxonomy }: FoundSources,
): ContentIdentity {
  const kept = [...articles, ...taxonomy].map(({ source }) => [source, hashes.get(source)] as const)
  return { ...identity, hashes: new Map(kept) }
}

/** A younger file may be written again without a change of its stamp. */
export function trusted(file: IndexedFile, startedMs: number): IndexedFile {
  return isSettled({ newestMs: Math.max(file.mtimeMs, file.ctimeMs) }, startedMs)
    ? file
    : { ...file, size: UNTRUSTED_SIZE }
}
