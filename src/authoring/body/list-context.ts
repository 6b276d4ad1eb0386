import type { Element } from 'hast'
import type { List, Node } from 'mdast'
import type { MarkdownStyle } from '../../content/from-html/stringify-markdown.ts'

/** The tools for adding items of the target to an author's list. */
export interface ListContext {
  readonly body: string
  readonly eol: string
  /** Markdown of blocks of the target, with line feeds. */
  readonly write: (nodes: readonly Element[], style?: MarkdownStyle) => string
}

/** Merges a list inside an item of another one. */
export type MergeNested = (
  list: List,
  before: Element,
  after: Element,
  context: ListContext,
) => string | undefined

export function startOf({ position }: Node): number {
  return position?.start.offset ?? 0
}

export function endOf({ position }: Node): number {
  return position?.end.offset ?? 0
}

/** The indentation of further lines below the text at `offset`. */
export function indentOf(offset: number, body: string): string {
  return body.slice(body.lastIndexOf('\n', offset - 1) + 1, offset).replaceAll(/\S/g, ' ')
}
