import type { Dialect } from '../../core/dialects/dialect.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { digest } from '../../core/digest.ts'
import { type CompileTools, compileSource } from './compile-source.ts'
import type { CompiledSource } from '../markdown/compiled-source.ts'
import { createIncludeExpander } from '../includes/expand-includes.ts'
import type { FindToolIncludes } from '../includes/find-includes.ts'
import { createParse } from '../parser/create-parse.ts'
import { loadRenderer } from './load-renderer.ts'
import { loadFrontmatterFiles } from '../preset/load-frontmatter-files.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'

export interface Compiler extends CompileTools {
  /** The article `source` with these bytes, whatever its file holds. */
  readonly compile: (bytes: Buffer, source: string) => CompiledSource & { readonly sourceHash: string }
}

/** What turns files into templates. Keeps the files that are included: it must not outlive a run. */
export async function createCompiler(
  options: MarkdownOptions,
  parser: MarkdownParser,
  contentRoot: string,
): Promise<Compiler> {
  const dialect = options.dialect && dialectOf(options.dialect)
  const tools: CompileTools = {
    render: await loadRenderer(options, parser),
    expand: createIncludeExpander(
      contentRoot,
      createParse(parser),
      dialect,
      dialect && (await loadIncludesOf(dialect, parser, contentRoot)),
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

/** Loaded here: most configurations have no dialect. */
async function loadIncludesOf(
  dialect: Dialect,
  parser: MarkdownParser,
  contentRoot: string,
): Promise<FindToolIncludes | undefined> {
  const { loadToolIncludes } = await import('../dialect/tool-includes.ts')
  return loadToolIncludes(dialect, parser, contentRoot)
}
