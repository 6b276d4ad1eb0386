import type { Root } from 'hast'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'

/** Marks up the code with a language in a finished tree, in place. */
export type HighlightTree = (tree: Root) => void

/** Undefined where the configuration wants no colours; then nothing is loaded. */
export async function loadHighlighter({
  highlight = false,
}: Pick<MarkdownOptions, 'highlight'>): Promise<HighlightTree | undefined> {
  return highlight ? (await import('../markdown/highlight-tree.ts')).highlightTree : undefined
}
