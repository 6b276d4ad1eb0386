import { existsSync } from 'node:fs'
import { KbError } from '../../core/errors/kb-error.ts'
import { type FoundSources, findSources } from '../../content/find-sources.ts'
import { loadContent } from '../../content/load-content.ts'
import type { RenderCache } from '../../content/render-cache.ts'
import { createLoadMemory } from './create-load-memory.ts'
import type { StampedHashes } from './create-stamped-hashes.ts'
import { digestFiles, digestFound } from './digest-files.ts'
import type { LiveContentOptions } from './live-content-options.ts'
import { type LiveState, liveStateOf } from './live-state.ts'

export interface LookTools extends LiveContentOptions {
  readonly cache: RenderCache
  readonly hashes: StampedHashes
}

export interface LookRun {
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Folders that are moved while they are walked are looked for so often. */
const MOST_WALKS = 5

/** Looks at all files and loads what is not as it was. */
export async function lookAtFiles(
  before: LiveState | undefined,
  { options, isIncluded, now, cache, hashes }: LookTools,
  { onProgress, signal }: LookRun,
): Promise<LiveState> {
  const { contentRoot } = options
  const found = findWhatIsThere(contentRoot, () => findSources(contentRoot, isIncluded, options.preset))
  const files = digestFound(contentRoot, found)
  const lost = cache.findLost(keysOf(before))
  const memory = createLoadMemory({
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
export function keysOf(state: LiveState | undefined): Set<string> {
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
