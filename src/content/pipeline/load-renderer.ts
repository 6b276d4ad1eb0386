import type { DialectReader } from '../dialect/load-dialect.ts'
import { createRenderer, type RenderMarkdown } from '../markdown/create-renderer.ts'
import { loadHighlighter } from './load-highlighter.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'

/** The renderer with all that the configuration asks for. */
export async function loadRenderer(
  options: MarkdownOptions,
  parser: MarkdownParser,
): Promise<RenderMarkdown> {
  return createRenderer(options, parser, await loadHighlighter(options), await loadDialectOf(options, parser))
}

/** Loaded here: most configurations have none. */
async function loadDialectOf(
  options: MarkdownOptions,
  parser: MarkdownParser,
): Promise<DialectReader | undefined> {
  if (options.dialect === undefined) return undefined
  const { loadDialectReader } = await import('../dialect/load-dialect.ts')
  return loadDialectReader(options, parser)
}
