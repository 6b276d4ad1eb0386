import type { FileDigests } from '../../content/source/hash-sources.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { CompiledMeta, CompiledSource } from '../../content/markdown/rendered-body.ts'
import { createCompiler } from '../../content/pipeline/create-compiler.ts'
import type { FileStamp, FoundSources } from '../../content/source/find-sources.ts'
import { inputKeysOf, renderKeyOf } from '../../content/pipeline/compile-sources.ts'
import { type LoadedContent, loadContent } from '../../content/pipeline/load-content.ts'
import type { RenderMarkdown } from '../../content/markdown/create-renderer.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import { resolveParser } from '../../content/parser/resolve-parser.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import { contentOptions } from '../../sync/content-project.ts'

interface DraftChecker {
  /** The content with these texts (by source) instead of their files, or as new files. */
  readonly check: (drafts: ReadonlyMap<string, string>) => Promise<LoadedContent>
  readonly render: RenderMarkdown
  /** Reads and writes frontmatter in a format other than our own. */
  readonly files: FrontmatterFiles | undefined
}

/**
 * The pipeline of `kb check` for texts that are not written yet. Writes nothing to disk, not even the cache.
 *
 * @param hashes digests of the existing articles, by source
 */
export async function createDraftChecker(
  settings: Settings,
  found: FoundSources,
  hashes: FileDigests,
  cache: RenderCache,
): Promise<DraftChecker> {
  const options = contentOptions(settings)
  const parser = await resolveParser(options.markdown)
  const { render, compile, files } = await createCompiler(options.markdown, parser, options.contentRoot)
  const renderKey = renderKeyOf(options, parser.kind)
  const drafted: Drafted = { compiled: new Map(), includes: new Map() }
  const stamps = new Map(found.articles.map((article) => [article.source, article]))
  const draft = (text: string, source: string): string => {
    const { sourceHash, ...compiled } = compile(Buffer.from(text), source)
    const { includes } = compiled.meta
    const { inputKey, includesKey } = inputKeysOf({ source, sourceHash }, includes, renderKey)
    drafted.compiled.set(inputKey, compiled)
    if (includesKey !== undefined) drafted.includes.set(includesKey, sourcesOf(compiled.meta))
    return sourceHash
  }
  return {
    render,
    files,
    check: async (drafts) => {
      const changed = [...drafts].map(([source, text]) => [source, draft(text, source)] as const)
      const all = new Map([...hashes, ...changed])
      const sources = [...all.keys()].toSorted()
      return loadContent({
        options,
        found: {
          taxonomy: found.taxonomy,
          folders: found.folders,
          unread: found.unread,
          articles: sources.map((source) => stamps.get(source) ?? newFile(source)),
        },
        hashes: new Map(sources.map((source) => [source, all.get(source)])),
        cache: overlay(cache, drafted),
      })
    },
  }
}

interface Drafted {
  readonly compiled: Map<string, CompiledSource>
  readonly includes: Map<string, readonly string[]>
}

function sourcesOf({ includes = [] }: CompiledMeta): string[] {
  return includes.map(([source]) => source)
}

function newFile(source: string): FileStamp {
  return { source, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 }
}

function overlay(cache: RenderCache, { compiled, includes }: Drafted): RenderCache {
  return {
    readMeta: (key) => compiled.get(key)?.meta ?? cache.readMeta(key),
    readIncludes: (key) => includes.get(key) ?? cache.readIncludes(key),
    readLinks: (key) => compiled.get(key)?.links ?? cache.readLinks(key),
    readHtml: (key) => compiled.get(key)?.html ?? cache.readHtml(key),
    store: () => undefined,
    prune: () => undefined,
    findLost: () => new Set(),
    close: () => undefined,
  }
}
