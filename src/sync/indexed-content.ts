// The content as of the last clean run, with the edits since, for commands that need few of its texts.
import { type IndexedContent, readIndexed } from '../content/pipeline/article-index.ts'
import { createLinker } from '../content/links/link-documents.ts'
import { isMdxFile } from '../content/pipeline/create-compiler.ts'
import { loadArticleCompiler } from '../content/pipeline/compile-edit.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import { openRenderCache, type RenderCache } from '../content/pipeline/render-cache.ts'
import type { FoundSources } from '../content/source/find-sources.ts'
import type { Settings } from '../core/config/settings.ts'
import type { LocalArticle } from '../core/model/document.ts'
import { contentOptions } from '../content/pipeline/content-options.ts'
import { type EditedSources, findEdited } from './find-unchanged.ts'
import { loadRunArticles } from './state/run-articles.ts'
import { type StateFiles, workspaceOf } from './state/workspace.ts'

/** Content without errors. */
export interface OpenIndexedContent extends Pick<
  LoadedContent,
  'articles' | 'pages' | 'taxonomy' | 'findAddresses'
> {
  readonly cache: RenderCache
}

/** Maximum number of edited articles; above it, loading everything is faster. */
const MOST_EDITED = 200

/** Undefined if all files must be loaded to know their content. The cache stays open. */
export async function openIndexedContent(
  settings: Settings,
  found: FoundSources,
  files: StateFiles,
): Promise<OpenIndexedContent | undefined> {
  const edited = await findEdited({ settings, found, files })
  if (edited === undefined || edited.sources.length > MOST_EDITED) return undefined
  const known = loadRunArticles(files.articles, edited.last.mark)
  if (known === undefined) return undefined
  const cache = openRenderCache(workspaceOf(settings.root).cacheFile)
  try {
    const edits = edited.sources.length === 0 ? [] : await readEdits(edited, { settings, found, cache })
    const all = new Map([...known, ...(edits ?? []).map(({ article }) => [article.source, article] as const)])
    const opened = edits && openArticles([...all.values()], edited, { settings, found, cache })
    if (opened === undefined) cache.close()
    return opened
  } catch (error) {
    cache.close()
    throw error
  }
}

interface ReadContext {
  readonly settings: Settings
  readonly found: FoundSources
  readonly cache: RenderCache
}

async function readEdits(
  { last: { mark, index }, sources }: EditedSources,
  { settings, found, cache }: ReadContext,
): Promise<IndexedContent['edits'] | undefined> {
  const options = contentOptions(settings)
  const request = { options, found, rows: index.rows, assets: new Set(mark.assets), cache }
  const compiler = await loadArticleCompiler(options, sources.some(isMdxFile))
  return readIndexed(sources, index.content, { ...request, compiler })?.edits
}

function openArticles(
  articles: readonly LocalArticle[],
  { last: { index } }: EditedSources,
  { settings, found, cache }: ReadContext,
): OpenIndexedContent | undefined {
  const lost = cache.findLost(articles.map(({ inputKey }) => inputKey))
  if (lost.size > 0) return undefined
  const { content } = index
  const documents = new Map(articles.map((article) => [article.source.normalize('NFC'), article]))
  const { findAddresses } = createLinker(
    documents,
    { ...content, rejected: [], routes: new Map(content.routes), findOriginal: () => undefined },
    { options: contentOptions(settings), found, cache },
  )
  return { articles, pages: new Set(content.pages), taxonomy: content.taxonomy, findAddresses, cache }
}
