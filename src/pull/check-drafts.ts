import type { Settings } from '../config/settings.ts'
import { compileSource } from '../content/compile-source.ts'
import { inputKeyOf } from '../content/compile-sources.ts'
import type { CompiledSource } from '../content/compiled-source.ts'
import type { FileStamp, FoundSources } from '../content/find-sources.ts'
import { type LoadedContent, loadContent } from '../content/load-content.ts'
import { createRenderer, type RenderMarkdown } from '../content/markdown/create-renderer.ts'
import { resolveParser } from '../content/markdown/resolve-parser.ts'
import type { RenderCache } from '../content/render-cache.ts'
import { contentOptions } from '../sync/content-project.ts'
import { digest, digestParts } from '../util/digest.ts'

export interface DraftChecker {
  /** The content as it would be with these texts (by source) in place of their files, or as new ones. */
  readonly check: (drafts: ReadonlyMap<string, string>) => Promise<LoadedContent>
  readonly render: RenderMarkdown
}

/**
 * The pipeline of `kb check` over texts that are not written yet. Nothing reaches the disk, the cache included.
 *
 * @param hashes digests of the articles that are there, by source
 */
export async function createDraftChecker(
  settings: Settings,
  found: FoundSources,
  hashes: ReadonlyMap<string, string>,
  cache: RenderCache,
): Promise<DraftChecker> {
  const options = contentOptions(settings)
  const parser = await resolveParser(options.markdown)
  const render = createRenderer(options.markdown, parser)
  const renderKey = digestParts([options.renderDigest, parser.kind])
  const compiled = new Map<string, CompiledSource>()
  const stamps = new Map(found.articles.map((article) => [article.source, article]))
  const compile = (text: string): string => {
    const bytes = Buffer.from(text)
    const hash = digest(bytes)
    const key = inputKeyOf(hash, renderKey)
    if (!compiled.has(key)) compiled.set(key, compileSource(bytes, hash, render))
    return hash
  }
  return {
    render,
    check: async (drafts) => {
      const changed = [...drafts].map(([source, text]) => [source, compile(text)] as const)
      const all = new Map([...hashes, ...changed])
      const sources = [...all.keys()].toSorted()
      return loadContent({
        options,
        found: {
          taxonomy: found.taxonomy,
          articles: sources.map((source) => stamps.get(source) ?? newFile(source)),
        },
        hashes: new Map(sources.map((source) => [source, all.get(source) ?? ''])),
        cache: overlay(cache, compiled),
      })
    },
  }
}

function newFile(source: string): FileStamp {
  return { source, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 }
}

function overlay(cache: RenderCache, compiled: ReadonlyMap<string, CompiledSource>): RenderCache {
  return {
    readMeta: (key) => compiled.get(key)?.meta ?? cache.readMeta(key),
    readLinks: (key) => compiled.get(key)?.links ?? cache.readLinks(key),
    readHtml: (key) => compiled.get(key)?.html ?? cache.readHtml(key),
    store: () => undefined,
    prune: () => undefined,
    close: () => undefined,
  }
}
