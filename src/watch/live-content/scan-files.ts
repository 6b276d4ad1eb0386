// The scan of all files: what is there, and what has changed since the last one.
import { existsSync } from 'node:fs'
import { yieldToEventLoop } from '../../content/pipeline/compile-sources.ts'
import type { ContentOptions } from '../../content/pipeline/content-options.ts'
import { loadContent } from '../../content/pipeline/load-content.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import {
  type FileStamp,
  type FoundSources,
  type SourceFilter,
  TAXONOMY_FILES,
  walkSources,
} from '../../content/source/find-sources.ts'
import { type FileDigests, hashSource, hashSources, isSettled } from '../../content/source/hash-sources.ts'
import { errorCodeOf } from '../../core/error-code.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { type KnownContent, type LiveState, LoadCache } from './load-cache.ts'

export interface LiveContentOptions {
  readonly options: ContentOptions
  /** Matches `include` and `exclude`, see `createSourceFilter`. */
  readonly isIncluded: SourceFilter
  /** Called once, at the first scan. The cache is closed with the content. */
  readonly openCache: () => RenderCache
  /** Unix time in milliseconds, by the clock that the file system uses. */
  readonly now: () => number
}

/** Maximum number of walks if folders are moved during them. */
const MOST_WALKS = 5

/** Loads the files that changed since `before`. @throws KbError as `loadContent` */
export async function scanFiles(
  before: LiveState | undefined,
  input: LiveContentOptions & {
    readonly cache: RenderCache
    readonly hashes: ReturnType<typeof createStampedHashes>
    readonly lost: ReadonlySet<string>
    readonly signal: AbortSignal | undefined
  },
): Promise<LiveState> {
  const { options, isIncluded, now, cache, hashes, lost, signal } = input
  const { contentRoot } = options
  const found = await findWhatIsThere(contentRoot, () =>
    inSteps(walkSources(contentRoot, isIncluded, options.preset), signal),
  )
  const files = digestFound(contentRoot, found)
  const memory = new LoadCache({ contentRoot, now, defaults: options.defaults, before: before?.known, lost })
  const content = await loadContent({
    options,
    found,
    hashes: hashes.hashAll(found.articles),
    cache,
    memory,
    signal,
  })
  const known = memory.finish(content)
  return liveStateOf(known, digestFiles(known, files), found)
}

function liveStateOf(known: KnownContent, files: LiveState['files'], { unread }: FoundSources): LiveState {
  const isAccepted = (source: string) => known.statuses.get(source.normalize('NFC'))?.kind === 'accepted'
  const compiled = [...known.compiled.values()].map(({ article }) => article)
  const pages = new Set(compiled.flatMap(({ source, meta }) => (meta.isArticle === false ? [source] : [])))
  const articles = [...known.compiled.keys(), ...unread.map(({ source }) => source)].filter(
    (source) => !TAXONOMY_FILES.includes(source) && !pages.has(source),
  )
  return {
    known,
    files,
    faulty: new Set(articles.filter((source) => !isAccepted(source))),
    blocked: new Set(known.content.waiting.keys()),
    included: new Set([...known.content.includes.values()].flatMap((snippets) => [...snippets.keys()])),
  }
}

/** Computes digests of the taxonomy files, and of unreadable paths that would be articles. */
function digestFound(contentRoot: string, { taxonomy, unread }: FoundSources): FileDigests {
  const sources = taxonomy.map(({ source }) => source)
  return new Map([
    ...unread.map(({ source }) => [source, undefined] as const),
    ...hashSources(contentRoot, sources),
  ])
}

function digestFiles({ content, compiled }: KnownContent, found: FileDigests): LiveState['files'] {
  const files = new Map(found)
  for (const { source, hash } of content.assets) files.set(source, hash)
  for (const snippets of content.includes.values())
    for (const [source, hash] of snippets) files.set(source, hash)
  for (const [source, { article }] of compiled) files.set(source, article.sourceHash)
  return files
}

/** Runs pending events after each step. @throws KbError INTERRUPTED */
async function inSteps<Result>(steps: Generator<undefined, Result>, signal: AbortSignal | undefined) {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await yieldToEventLoop(signal)
  }
}

async function findWhatIsThere(contentRoot: string, find: () => Promise<FoundSources>) {
  for (let walks = 1; ; walks++) {
    try {
      return await find()
    } catch (error) {
      if (walks === MOST_WALKS || !isGone(error) || !existsSync(contentRoot)) throw error
    }
  }
}

function isGone(error: unknown): boolean {
  const code = error instanceof KbError ? errorCodeOf(error.cause) : undefined
  return code === 'ENOENT' || code === 'ENOTDIR'
}

interface KnownHash {
  readonly stamp: FileStamp
  readonly hash: string
}

function isSameFile(one: FileStamp, other: FileStamp): boolean {
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino
  )
}

/** Digests of files. A file is read again unless its stamp proves that it is unchanged. */
export function createStampedHashes(contentRoot: string, now: () => number) {
  let known = new Map<string, KnownHash>()
  // Two texts may share a stamp that is too young, so it is not stored, and the file is read again next time.
  const keep = (file: FileStamp, hash: string | undefined, into: Map<string, KnownHash>) => {
    const newestMs = Math.max(file.mtimeMs, file.ctimeMs)
    if (hash !== undefined && isSettled({ newestMs }, now())) into.set(file.source, { stamp: file, hash })
    else into.delete(file.source)
  }
  return {
    /** Computes all digests, and removes those of other files. */
    hashAll: (files: readonly FileStamp[]) => {
      const next = new Map<string, KnownHash>()
      const hashes = files.map((file) => {
        const before = known.get(file.source)
        if (before !== undefined && isSameFile(before.stamp, file)) {
          next.set(file.source, before)
          return [file.source, before.hash] as const
        }
        const hash = hashSource(contentRoot, file.source)
        keep(file, hash, next)
        return [file.source, hash] as const
      })
      known = next
      return new Map(hashes)
    },
    /** Stores a digest that was computed elsewhere. @param stamp taken before the file was read */
    note: (stamp: FileStamp, hash: string) => keep(stamp, hash, known),
  }
}
