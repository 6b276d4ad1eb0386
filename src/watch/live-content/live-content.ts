import pLimit from 'p-limit'
import { existsSync } from 'node:fs'
import type { ContentOptions } from '../../content/pipeline/content-options.ts'
import { giveWay } from '../../content/pipeline/compile-sources.ts'
import { type LoadedContent, loadContent } from '../../content/pipeline/load-content.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import {
  type FoundSources,
  walkSources,
  type SourceFilter,
  TAXONOMY_FILES,
  type FileStamp,
} from '../../content/source/find-sources.ts'
import { type FileDigests, hashSources, hashSource, isSettled } from '../../content/source/hash-sources.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { type EditedArticle, editArticle, type EditTools } from './edit-article.ts'
import { type LiveState, type KnownContent, LoadCache } from './load-cache.ts'
import { loadArticleCompiler } from '../../content/pipeline/compile-edit.ts'
import { errorCodeOf } from '../../core/error-code.ts'

/**
 * The content of a project that is being edited. A file with an error is represented by its last valid version in
 * `content.articles`, so that links to it stay valid.
 */
export interface LiveContent {
  /** The content as of the last scan, with later edits. Undefined before the first scan. */
  readonly current: () => LoadedContent | undefined
  /**
   * Scans all files and loads those that changed. The result equals a full load, except for last valid versions.
   *
   * @returns `touched`: articles, snippets, images and taxonomy files that were added, changed or removed since
   * @throws KbError CONTENT_UNREADABLE, WORKSPACE_UNWRITABLE, INTERRUPTED, CONFIG_INVALID
   */
  readonly refresh: (options?: {
    readonly signal?: AbortSignal | undefined
  }) => Promise<{ readonly content: LoadedContent; readonly touched: readonly string[] }>
  /**
   * Applies the new text of one article. Undefined if others may be affected (a new slug, heading or include, an error,
   * an added or removed file …): then a refresh is necessary.
   */
  readonly edit: (source: string) => Promise<EditedArticle | undefined>
  /** Keeps all rendered texts of an older `current` for a run, until the returned function is called. */
  readonly pin: () => () => void
  /** Sources of files with an error, which are represented by their last valid version, or not at all. */
  readonly faulty: () => ReadonlySet<string>
  /**
   * Sources of articles without an error that link to or translate a faulty file without a last valid version: the
   * targets of these links are unknown.
   */
  readonly blocked: () => ReadonlySet<string>
  readonly close: () => void
}

/** Number of edits without a scan after which the templates of outdated texts are removed. */
const EDITS_PER_PRUNE = 500

/** Creates the content. Opens nothing before the first scan. Concurrent calls are queued. */
export function createLiveContent(live: LiveContentOptions): LiveContent {
  const { options, now } = live
  const inTurn = pLimit(1)
  const hashes = createStampedHashes(options.contentRoot, now)
  let cache: RenderCache | undefined
  let state: LiveState | undefined
  let editing: EditTools['editing'] | undefined
  let edits = 0
  let pins = 0
  /** Keys that the cache has lost since the last complete scan. */
  let lost: ReadonlySet<string> = new Set()

  function openCache(): RenderCache {
    const opened = live.openCache()
    return { ...opened, prune: (used) => void (pins === 0 && opened.prune(used)) }
  }

  async function edit(source: string): Promise<EditedArticle | undefined> {
    if (state === undefined || cache === undefined) return undefined
    editing ??= await loadArticleCompiler(live.options)
    const edited = editArticle(source, state, { options, cache, noteHash: hashes.note, editing })
    if (edited === undefined) return undefined
    state = edited.state
    if (++edits % EDITS_PER_PRUNE === 0) cache.prune(keysOf(state))
    return edited.edited
  }

  return {
    current: () => state?.known.content,
    refresh: ({ signal } = {}) =>
      inTurn(async () => {
        cache ??= openCache()
        const before = state?.files ?? new Map<string, undefined>()
        lost = new Set([...lost, ...cache.findLost(keysOf(state))])
        state = await scanFiles(state, { ...live, cache, hashes, lost, signal })
        lost = new Set()
        return { content: state.known.content, touched: changedFileSources(before, state.files) }
      }),
    pin: () => {
      pins++
      return () => void pins--
    },
    edit: (source) => inTurn(() => edit(source)),
    faulty: () => state?.faulty ?? new Set(),
    blocked: () => state?.blocked ?? new Set(),
    // Waits, because a running call still reads the cache.
    close: () => void inTurn(() => cache?.close()),
  }
}

/** Maximum number of walks if folders are moved during them. */
const MOST_WALKS = 5

async function scanFiles(
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

/** Returns the keys of the render cache that are in use. */
function keysOf(state: LiveState | undefined): Set<string> {
  if (state === undefined) return new Set()
  const { compiled, records } = state.known
  return new Set([
    ...[...compiled.values()].map(({ article }) => article.inputKey),
    ...[...records.values()].map(({ document }) => document.inputKey),
  ])
}

/** Runs pending events after each step. @throws KbError INTERRUPTED */
async function inSteps<Result>(
  steps: Generator<undefined, Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await giveWay(signal)
  }
}

async function findWhatIsThere(
  contentRoot: string,
  find: () => Promise<FoundSources>,
): Promise<FoundSources> {
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

interface LiveContentOptions {
  readonly options: ContentOptions
  /** Matches `include` and `exclude`, see `createSourceFilter`. */
  readonly isIncluded: SourceFilter
  /** Called once, at the first scan. The cache is closed with the content. */
  readonly openCache: () => RenderCache
  /** Unix time in milliseconds, by the clock that the file system uses. */
  readonly now: () => number
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

/** Returns the sources of files that were added, changed or removed. */
function changedFileSources(before: FileDigests, now: FileDigests): string[] {
  const other = [...now].filter(([source, digest]) => !before.has(source) || before.get(source) !== digest)
  const gone = [...before.keys()].filter((source) => !now.has(source))
  return [...other.map(([source]) => source), ...gone].toSorted()
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
function createStampedHashes(contentRoot: string, now: () => number) {
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
