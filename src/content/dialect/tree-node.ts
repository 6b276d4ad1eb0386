// Trees of dialects contain nodes that are not part of Markdown. They are converted to Markdown.
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
  ordered?: boolean
  url?: string
  alt?: string | null
  identifier?: string
}

export function textNode(value: string, position?: Position): TreeNode {
  return { type: 'text', value, ...(position && { position }) }
}

export function paragraphOf(children: TreeNode[], data?: Record<string, unknown>): TreeNode {
  return { type: 'paragraph', children, ...(data && { data }) }
}

/** Creates a line that describes the block below it and is not part of the text. */
export function captionOf(text: string): TreeNode {
  return paragraphOf([{ type: 'strong', children: [textNode(text)] }])
}

/**
 * Creates a tab as a section with its label. Consecutive ones form a group. Pages that recognise tabs show one at a
 * time; all others show them one below the other.
 */
export function tabNode(label: TreeNode[], body: TreeNode): TreeNode {
  const heading = paragraphOf([{ type: 'strong', children: label }], {
    hProperties: { className: 'markdown-tab-title' },
  })
  return blockElement(
    'div',
    { className: 'markdown-tab' },
    { ...body, children: [heading, ...(body.children ?? [])] },
  )
}

/** Creates nodes of an mdast type that become the element `tagName`. */
function elementsOf(type: 'blockquote' | 'emphasis') {
  return (
    tagName: string,
    properties: Record<string, unknown>,
    { children = [], position }: Pick<TreeNode, 'children' | 'position'>,
  ): TreeNode => {
    const data = { hName: tagName, hProperties: properties }
    return { type, data, children, ...(position && { position }) }
  }
}

/** Wraps a block in an element. Of all blocks that contain blocks, only a quote adds nothing around them. */
export const blockElement = elementsOf('blockquote')

export const inlineElement = elementsOf('emphasis')

/** Returns the text of a tree without raw HTML. */
export function plainTextOf(node: TreeNode): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value ?? ''
  return (node.children ?? []).map(plainTextOf).join('')
}

export function isBlank(node: TreeNode): boolean {
  return node.type === 'text' && (node.value ?? '').trim() === ''
}

/**
 * Converts code blocks to tabs, labelled with their titles or else their languages.
 *
 * @param hasNames true if the first words of an info string are a title
 */
export function codeTabs(children: readonly TreeNode[], hasNames = false): TreeNode[] {
  return children.flatMap((child, index) => {
    if (child.type !== 'code') return isCaption(child) && children[index + 1]?.type === 'code' ? [] : [child]
    const before = children[index - 1]
    const [name = ''] = (hasNames && CODE_NAME.exec(child.meta ?? '')) || []
    const written = name.trim() === '' ? (child.lang ?? '') : name.trim()
    const caption = before !== undefined && isCaption(before) ? plainTextOf(before) : written
    return caption === '' ? [child] : [tabNode([textNode(caption)], { ...child, children: [child] })]
  })
}

function isCaption({ type, position, children = [] }: TreeNode): boolean {
  return type === 'paragraph' && position === undefined && children[0]?.type === 'strong'
}

/** Words that are no option. */
const CODE_NAME =
  /^(?:(?!(?:expandable|focus|highlight|icon|lines|showLineNumbers|wrap)\b)[^\s{=]+(?!\S)[ \t]*)+/

/** Inline elements. */
export const PHRASING = new Set(
  (
    'a abbr audio b bdi bdo br button cite code data del dfn em i img input ins kbd label mark math meter output ' +
    'picture progress q ruby rt rp s samp select small source span strong sub sup svg textarea time tt u var video wbr'
  ).split(' '),
)

export function detailsNode(title: TreeNode[], isOpen: boolean, body: TreeNode): TreeNode {
  const words = title.length > 0 ? title : [textNode('Details')]
  const summary = paragraphOf(words, { hName: 'summary' })
  return blockElement('details', isOpen ? { open: true } : {}, {
    ...body,
    children: [summary, ...(body.children ?? [])],
  })
}
