import { createRenderer, type RenderMarkdown, type RendererParts } from '../markdown/create-renderer.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'
import { checkBody } from '../rules/check-body.ts'
import { toolSyntax } from '../rules/tool-syntax.ts'

/** The renderer with all that the configuration asks for; what it does not ask for is not loaded. */
export async function loadRenderer(
  options: MarkdownOptions,
  parser: MarkdownParser,
): Promise<RenderMarkdown> {
  const { highlight = false, dialect } = options
  const highlightTree = highlight ? (await import('../markdown/highlight-tree.ts')).highlightTree : undefined
  const parts: RendererParts =
    dialect === undefined
      ? { check: (view) => [...toolSyntax(view), ...checkBody(view)] }
      : {
          check: checkBody,
          dialect: await (await import('../dialect/load-dialect.ts')).loadDialectReader(options, parser),
        }
  return createRenderer(options, parser, { ...parts, highlight: highlightTree })
}
