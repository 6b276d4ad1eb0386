import { packLinks } from './packed-links.ts'
import { join } from 'node:path'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'
import { digest } from '../../core/digest.ts'
import { type CompileTools, compileSource, withoutBody } from './compile-source.ts'
import { createIncludeExpander } from '../includes/expand-includes.ts'
import type { FindToolIncludes } from '../includes/find-includes.ts'
import { loadFrontmatterFiles } from '../preset/load-frontmatter-files.ts'
import type { MarkdownOptions, CompiledSource } from '../markdown/rendered-body.ts'
import { type MarkdownParser, createParse } from '../parser/resolve-parser.ts'
import { readBytes } from '../source/read-source.ts'
import { createRenderer, type RenderMarkdown, type RendererParts } from '../markdown/create-renderer.ts'
import { checkBody } from '../rules/check-body.ts'
import { toolSyntax } from '../rules/tool-syntax.ts'

export interface Compiler extends CompileTools {
  /** Compiles the article `source` from these bytes, not from its file. */
  readonly compile: (bytes: Buffer, source: string) => CompiledSource & { readonly sourceHash: string }
}

/**
 * Creates the function that compiles files to templates. It caches included files, so it must not outlive a run.
 *
 * @param hasMdx see `loadDialectReader`
 */
export async function createCompiler(
  options: MarkdownOptions,
  parser: MarkdownParser,
  contentRoot: string,
  hasMdx = true,
): Promise<Compiler> {
  const dialect = options.dialect && dialectOf(options.dialect)
  const tools: CompileTools = {
    render: await loadRenderer(options, parser, hasMdx),
    expand: createIncludeExpander(
      contentRoot,
      createParse(parser),
      dialect,
      dialect &&
        (await loadIncludesOf(dialect, parser, { contentRoot, folders: options.includeFolders ?? ['.'] })),
      options.appended,
    ),
    files: await loadFrontmatterFiles(options.frontmatter),
  }
  return {
    ...tools,
    compile: (bytes, source) => {
      const sourceHash = digest(bytes)
      return { sourceHash, ...compileSource(bytes, { source, sourceHash }, tools) }
    },
  }
}

/** Loads the code on demand, because most configurations have no dialect. */
async function loadIncludesOf(
  dialect: Dialect,
  parser: MarkdownParser,
  folders: { readonly contentRoot: string; readonly folders: readonly string[] },
): Promise<FindToolIncludes | undefined> {
  const { loadToolIncludes } = await import('../dialect/tool-includes.ts')
  return loadToolIncludes(dialect, parser, folders)
}

/** A compiled file as JSON texts, because strings cross thread boundaries much faster than trees. */
export interface CompiledFile {
  /** Digest of its bytes; undefined if they cannot be read. */
  readonly sourceHash: string | undefined
  readonly meta: string
  readonly links: string
  readonly html: string
}

/** Reads and compiles articles. For an unreadable one, the result is that problem. */
export function compileFiles(
  contentRoot: string,
  sources: readonly string[],
  { compile }: Pick<Compiler, 'compile'>,
): CompiledFile[] {
  return sources.map((source) => {
    const read = readBytes(join(contentRoot, source))
    if (read.kind === 'problem') return serialise({ sourceHash: undefined, ...withoutBody([read.problem]) })
    return serialise(compile(read.bytes, source))
  })
}

/** Converts a compiled file to its form for threads and the cache. */
export function serialise(source: CompiledSource & Pick<CompiledFile, 'sourceHash'>): CompiledFile {
  const { sourceHash, meta, links, html } = source
  return {
    sourceHash,
    meta: JSON.stringify(meta),
    links: JSON.stringify(packLinks(links)),
    html: JSON.stringify(html),
  }
}

/** Returns the renderer for the configuration. Loads only what it needs. */
export async function loadRenderer(
  options: MarkdownOptions,
  parser: MarkdownParser,
  hasMdx = true,
): Promise<RenderMarkdown> {
  const { highlight = false, dialect, embeds = [] } = options
  const highlightTree = highlight ? (await import('../../core/highlight-tree.ts')).highlightTree : undefined
  const parts: RendererParts =
    dialect === undefined
      ? { check: (view) => [...toolSyntax(view), ...checkBody(view, embeds)] }
      : {
          check: (view) => [
            ...(isPlain(view.source, dialect) ? toolSyntax(view) : []),
            ...checkBody(view, embeds),
          ],
          dialect: await (
            await import('../dialect/load-dialect.ts')
          ).loadDialectReader(options, parser, hasMdx),
        }
  return createRenderer(options, parser, { ...parts, highlight: highlightTree })
}

/** Returns true if a file of a dialect is plain Markdown. */
function isPlain(source: string | undefined, dialect: PresetName): boolean {
  return dialectOf(dialect).isGeneric === true && (source === undefined || !isMdxFile(source))
}

export function isMdxFile(source: string): boolean {
  return source.endsWith('.mdx')
}
