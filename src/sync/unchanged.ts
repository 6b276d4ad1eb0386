import type { Settings } from '../core/config/settings.ts'
import type { FoundSources } from '../content/find-sources.ts'
import { digestHashes, hashSources, isSettled, stampTree } from '../content/hash-sources.ts'
import { type CleanMark, loadCleanMark, writeCleanMark } from './state/clean-mark.ts'

/** What a run learned of the content's identity on its way; spares the next step from reading the files twice. */
export interface ContentIdentity {
  readonly stamps: string | undefined
  readonly hashes: ReadonlyMap<string, string>
}

export type Unchanged =
  | { readonly kind: 'unchanged'; readonly mark: CleanMark }
  | { readonly kind: 'changed'; readonly identity: ContentIdentity }

export interface UnchangedQuestion {
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
export async function findUnchanged(question: UnchangedQuestion): Promise<Unchanged> {
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
export async function identify(
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
export async function hashUsed(
  contentRoot: string,
  sources: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (sources.length === 0) return new Map()
  const { hashAssets } = await import('../content/assets/hash-assets.ts')
  return hashAssets(contentRoot, sources)
}

function withoutAssets(
  { stamps, hashes }: ContentIdentity,
  { articles, taxonomy }: FoundSources,
): ContentIdentity {
  const kept = [...articles, ...taxonomy].map(({ source }) => [source, hashes.get(source) ?? ''] as const)
  return { stamps, hashes: new Map(kept) }
}
