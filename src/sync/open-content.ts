import { withStorage } from '../core/config/resolve-target.ts'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import { createSourceFilter, findSources, type FoundSources } from '../content/source/find-sources.ts'
import { type FileDigests, hashSources } from '../content/source/hash-sources.ts'
import type { CorpusRequest } from '../content/pipeline/build-corpus.ts'
import { contentOptions } from '../content/pipeline/content-options.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import { readCapabilities } from './plan/target-capabilities.ts'
import { workspaceOf, canPrepare, stateFiles } from './state/workspace.ts'
import type { SyncStage } from './sync-options.ts'
import type { Progress } from './target-session.ts'

/** @throws KbError CONTENT_UNREADABLE */
export async function findContent(settings: Settings): Promise<FoundSources> {
  const { contentRoot, include, exclude, preset } = settings
  return findSources(contentRoot, await createSourceFilter(include, exclude), preset)
}

export type OpenContent = Awaited<ReturnType<typeof openContent>>

/** True if articles or descriptions use files that a target has to store. */
export function usesStoredFiles({ assets }: Pick<LoadedContent, 'assets'>): boolean {
  return assets.some(({ stored }) => stored !== undefined)
}

/**
 * Reads, checks and renders the files that were found (pass one). The cache stays open, because it contains the HTML.
 *
 * @throws KbError WORKSPACE_UNWRITABLE, INTERRUPTED, CONFIG_INVALID
 */
export async function openContent(
  settings: Settings,
  found: FoundSources,
  options: {
    readonly hashes?: FileDigests | undefined
    readonly onProgress?: Progress | undefined
    readonly onStage?: ((stage: SyncStage) => void) | undefined
    /** Called when all articles are compiled, before their links are resolved. */
    readonly onCompiled?: (() => void) | undefined
    readonly signal?: AbortSignal | undefined
    readonly readSent?: CorpusRequest['readSent']
    readonly addresses?: CorpusRequest['addresses']
    /** Writes nothing to .kb: everything is rendered into a temporary cache. */
    readonly leavesNoTrace?: boolean | undefined
  } = {},
) {
  options.onStage?.('load')
  // Loaded on demand: a run that finds nothing changed does not need the Markdown packages.
  const [{ loadContent }, { openRenderCache, openTemporaryCache }] = await Promise.all([
    import('../content/pipeline/load-content.ts'),
    import('../content/pipeline/render-cache.ts'),
  ])
  options.onStage?.('compile')
  const { contentRoot } = settings
  const sources = found.articles.map(({ source }) => source)
  const known = options.hashes ?? hashSources(contentRoot, sources)
  const hashes = new Map(sources.map((source) => [source, known.get(source)]))
  const cache =
    options.leavesNoTrace === true
      ? openTemporaryCache()
      : openRenderCache(workspaceOf(settings.root).cacheFile)
  try {
    const onProgress = (done: number, total: number) => options.onProgress?.('render', done, total)
    const request = {
      options: contentOptions(settings),
      found,
      hashes,
      cache,
      onProgress,
      onCompiled: () => {
        options.onCompiled?.()
        options.onStage?.('link')
      },
      signal: options.signal,
      readSent: options.readSent,
      addresses: options.addresses,
    }
    return { content: await loadContent(request), cache }
  } catch (error) {
    cache.close()
    throw error
  }
}

/**
 * Reads, checks and renders the content for a command that sends nothing. If nothing can be stored in .kb, everything
 * is rendered again. Whether a remote target stores files is known only if a run has asked it. The cache stays open.
 *
 * @returns `leavesNoTrace`: true if nothing may be written to .kb
 * @throws KbError CONTENT_UNREADABLE, INTERRUPTED, CONFIG_INVALID
 */
export async function readContent(
  settings: Settings,
  options: {
    readonly onProgress?: Progress | undefined
    readonly signal?: AbortSignal | undefined
    /** The result of `findContent`, if the caller has it. */
    readonly found?: FoundSources | undefined
    /** Default: the configured target. */
    readonly target?: TargetSettings | undefined
  },
) {
  const found = options.found ?? (await findContent(settings))
  const leavesNoTrace = !canPrepare(workspaceOf(settings.root))
  const open = (known: Settings) => openContent(known, found, { ...options, leavesNoTrace })
  const opened = await open(settings)
  const known = usesStoredFiles(opened.content)
    ? await withRememberedStorage(settings, options.target ?? settings.target)
    : settings
  if (known === settings) return { ...opened, found, leavesNoTrace }
  opened.cache.close()
  return { ...(await open(known)), found, leavesNoTrace }
}

/** Returns the configuration with the file storage that the target last announced, according to its state. */
export async function withRememberedStorage(settings: Settings, target: TargetSettings): Promise<Settings> {
  if (settings.assets.storage !== 'unknown') return settings
  const { loadState } = await import('./state/state-file.ts')
  const { state } = stateFiles(target, settings, workspaceOf(settings.root))
  const { extensions } = loadState(state, settings.project)
  if (extensions === undefined) return settings
  return withStorage(settings, readCapabilities(extensions).files ? 'offered' : 'absent')
}
