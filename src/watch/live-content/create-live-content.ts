import { existsSync } from 'node:fs'
import pLimit from 'p-limit'
import type { ContentOptions } from '../../content/pipeline/content-options.ts'
import { type FoundSources, findSources, type SourceFilter } from '../../content/source/find-sources.ts'
import { renderKeyOf } from '../../content/pipeline/input-keys.ts'
import { loadContent } from '../../content/pipeline/load-content.ts'
import { loadRenderer } from '../../content/pipeline/load-renderer.ts'
import { loadFrontmatterFiles } from '../../content/preset/load-frontmatter-files.ts'
import { resolveParser } from '../../content/parser/resolve-parser.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { createLoadCache } from './load-cache.ts'
import { createStampedHashes, type StampedHashes } from './create-stamped-hashes.ts'
import { changedFileSources, digestFiles, digestFound } from './digest-files.ts'
import { editArticle, type EditTools } from './edit-article.ts'
import type { EditedArticle, LiveContent } from './live-content.ts'
import { type LiveState, liveStateOf } from './live-state.ts'

/** After so many edits without a look at all files, the templates of texts that are gone are thrown away. */
const EDITS_PER_PRUNE = 500

/** Opens nothing before the first look. What is asked for at the same time is done in turn. */
export function createLiveContent(live: LiveContentOptions): LiveContent {
  const { options, now } = live
  const inTurn = pLimit(1)
  const hashes = createStampedHashes(options.contentRoot, now)
  let cache: RenderCache | undefined
  let state: LiveState | undefined
  let editing: EditTools['editing'] | undefined
  let edits = 0
  let pins = 0

  function openCache(): RenderCache {
    const opened = live.openCache()
    return { ...opened, prune: (used) => void (pins === 0 && opened.prune(used)) }
  }

  async function edit(source: string): Promise<EditedArticle | undefined> {
    if (state === undefined || cache === undefined) return undefined
    editing ??= await prepareEditing(live)
    const edited = editArticle(source, state, { options, cache, hashes, editing })
    if (edited === undefined) return undefined
    state = edited.state
    if (++edits % EDITS_PER_PRUNE === 0) cache.prune(keysOf(state))
    return edited.edited
  }

  return {
    current: () => state?.known.content,
    refresh: (run = {}) =>
      inTurn(async () => {
        cache ??= openCache()
        const before = state?.files ?? new Map<string, string>()
        state = await lookAtFiles(state, { ...live, cache, hashes }, run)
        return { content: state.known.content, touched: changedFileSources(before, state.files) }
      }),
    pin: () => {
      pins++
      return () => void pins--
    },
    edit: (source) => inTurn(() => edit(source)),
    faulty: () => state?.faulty ?? new Set(),
    waiting: () => state?.waiting ?? new Set(),
    // What is under way still reads the cache.
    close: () => void inTurn(() => cache?.close()),
  }
}

async function prepareEditing({ options }: LiveContentOptions): Promise<EditTools['editing']> {
  const parser = await resolveParser(options.markdown)
  return {
    render: await loadRenderer(options.markdown, parser),
    files: await loadFrontmatterFiles(options.markdown.frontmatter),
    renderKey: renderKeyOf(options, parser.kind),
  }
}

interface LookTools extends LiveContentOptions {
  readonly cache: RenderCache
  readonly hashes: StampedHashes
}

interface LookRun {
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Folders that are moved while they are walked are looked for so often. */
const MOST_WALKS = 5

/** Looks at all files and loads what is not as it was. */
async function lookAtFiles(
  before: LiveState | undefined,
  { options, isIncluded, now, cache, hashes }: LookTools,
  { onProgress, signal }: LookRun,
): Promise<LiveState> {
  const { contentRoot } = options
  const found = findWhatIsThere(contentRoot, () => findSources(contentRoot, isIncluded, options.preset))
  const files = digestFound(contentRoot, found)
  const lost = cache.findLost(keysOf(before))
  const memory = createLoadCache({
    contentRoot,
    now,
    defaults: options.defaults,
    before: before?.known,
    lost,
  })
  const content = await loadContent({
    options,
    found,
    hashes: hashes.hashAll(found.articles),
    cache,
    memory,
    onProgress,
    signal,
  })
  const known = memory.finish(content)
  return liveStateOf(known, digestFiles(known, files), found)
}

/** Keys of the render cache that are in use. */
function keysOf(state: LiveState | undefined): Set<string> {
  if (state === undefined) return new Set()
  const { compiled, records } = state.known
  return new Set([
    ...[...compiled.values()].map(({ article }) => article.inputKey),
    ...[...records.values()].map(({ document }) => document.inputKey),
  ])
}

function findWhatIsThere(contentRoot: string, find: () => FoundSources): FoundSources {
  for (let walks = 1; ; walks++) {
    try {
      return find()
    } catch (error) {
      if (walks === MOST_WALKS || !isGone(error) || !existsSync(contentRoot)) throw error
    }
  }
}

function isGone(error: unknown): boolean {
  const cause = error instanceof KbError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
}

interface LiveContentOptions {
  readonly options: ContentOptions
  /** Of `include` and `exclude`, see `createSourceFilter`. */
  readonly isIncluded: SourceFilter
  /** Called once, at the first look; the cache is closed with the content. */
  readonly openCache: () => RenderCache
  /** Milliseconds since 1970, by the clock that the file system goes by as well. */
  readonly now: () => number
}
