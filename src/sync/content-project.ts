import type { Settings, TargetSettings } from '../core/config/settings.ts'
import { asPrefix, relativePath } from '../core/paths.ts'
import { createSourceFilter, findSources, type FoundSources } from '../content/source/find-sources.ts'
import { type FileDigests, hashSources } from '../content/source/hash-sources.ts'
import type { CorpusRequest } from '../content/pipeline/build-corpus.ts'
import type { ContentOptions } from '../content/pipeline/content-options.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import { workspaceOf, canPrepare } from './state/workspace.ts'
import { taxonomyMode, withRememberedStorage } from './for-target.ts'

export type Progress = (phase: 'render' | 'links' | 'copy' | 'send', done: number, total: number) => void

/** The stages of a run, in the usual order. A run may omit some; `load` and `record` come twice. */
export type SyncStage =
  | 'find'
  | 'hash'
  | 'load'
  | 'compile'
  | 'link'
  | 'connect'
  | 'list'
  | 'plan'
  | 'send'
  | 'record'
  | 'close'

/** The part of the configuration that the content pipeline uses. */
export function contentOptions(settings: Settings): ContentOptions {
  const { status, order, reviewAfterDays, categories } = settings.defaults
  return {
    root: settings.root,
    contentRoot: settings.contentRoot,
    markdown: settings.render,
    renderDigest: settings.renderDigest,
    defaults: { language: settings.defaultLanguage, status, order, reviewAfterDays, categories },
    articleUrl: settings.articleUrl,
    categoryUrl: settings.categoryUrl,
    tagUrl: settings.tagUrl,
    brokenLinks: settings.brokenLinks,
    assets: settings.assets,
    rules: settings.rules,
    overrides: settings.overrides,
    exclude: settings.exclude,
    describesCategories: taxonomyMode(settings, settings.target) === 'update',
    preset: settings.preset,
    toolSite: settings.toolSite,
    siteUrl: settings.siteUrl,
    pages: { ...settings.pages.brand, url: settings.pages.url, configFile: settings.configFile },
  }
}

/** The content folder in diagnostics, with a slash at its end; '' if it is the project folder. */
export function contentPrefix({ root, contentRoot }: Pick<Settings, 'root' | 'contentRoot'>): string {
  return asPrefix(relativePath(root, contentRoot))
}

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
      onCompiled: () => options.onStage?.('link'),
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
