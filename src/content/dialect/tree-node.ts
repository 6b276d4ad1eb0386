// Trees of dialects hold nodes that Markdown has not; what is made of them is Markdown again.
import type { Nodes } from 'mdast'

type Position = NonNullable<Nodes['position']>

export interface JsxAttribute {
  readonly type: string
  readonly name?: string
  readonly value?: string | { readonly value: string } | null
}

export interface TreeNode {
  type: string
  position?: Position | undefined
  children?: TreeNode[]
  value?: string
  name?: string | null
  /** A list for JSX, an object for directives. */
  attributes?: readonly JsxAttribute[] | Readonly<Record<string, string | null | undefined>>
  data?: Record<string, unknown>
  lang?: string | null
  meta?: string | null
  depth?: number
  url?: string
}

export function textNode(value: string, position?: Position): TreeNode {
  return { type: 'text', value, ...(position && { position }) }
}

export function paragraphOf(children: TreeNode[], data?: Record<string, unknown>): TreeNode {
  return { type: 'paragraph', children, ...(data && { data }) }
}

/** A line that says what the block below is: nobody wrote it there. */
export function captionOf(text: string): TreeNode {
  return paragraphOf([{ type: 'strong', children: [textNode(text)] }])
}

/** A block that becomes the element `tagName`. */
export function blockElement(
  tagName: string,
  properties: Record<string, unknown>,
  { children = [], position }: Pick<TreeNode, 'children' | 'position'>,
): TreeNode {
  // Of all blocks that hold blocks, a quote is the one that puts nothing else around them.
  const data = { hName: tagName, hProperties: properties }
  return { type: 'blockquote', data, children, ...(position && { position }) }
}

/** Words that become the element `tagName`. */
export function inlineElement(
  tagName: string,
  properties: Record<string, unknown>,
  { children = [], position }: Pick<TreeNode, 'children' | 'position'>,
): TreeNode {
  const data = { hName: tagName, hProperties: properties }
  return { type: 'emphasis', data, children, ...(position && { position }) }
}

/** The words of a tree, without those of raw HTML. */
export function plainTextOf(node: TreeNode): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value ?? ''
  return (node.children ?? []).map(plainTextOf).join('')
}

export function isBlank(node: TreeNode): boolean {
  return node.type === 'text' && (node.value ?? '').trim() === ''
}
