// Components that come with Docusaurus, as far as a page without them can say the same.
import { alertNode, detailsNode, isAlertName } from './alert-node.ts'
import { attributeOf } from './jsx-attributes.ts'
import { withoutPathname } from './static-address.ts'
import {
  captionOf,
  inlineElement,
  isBlank,
  paragraphOf,
  textNode,
  type TreeNode,
  plainTextOf,
} from './tree-node.ts'

type Convert = (node: TreeNode) => TreeNode[]

const children: Convert = (node) => node.children ?? []

const COMPONENTS: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ['Tabs', children],
  ['TabItem', tabItem],
  ['Admonition', admonition],
  ['Details', details],
  ['CodeBlock', codeBlock],
  ['Link', link],
  ['Translate', children],
  // What has no place in the text: the head of a page, and its table of contents.
  ['Head', () => []],
  ['TOCInline', () => []],
])

const INLINE = new Set(['Link', 'Translate'])

/** How a component is shown without it; undefined where nobody knows. */
export function findComponent(name: string): Convert | undefined {
  return COMPONENTS.get(name)
}

/** Whether it stands for blocks, also where it was written in a paragraph. */
export function isBlockComponent(name: string): boolean {
  return COMPONENTS.has(name) && !INLINE.has(name)
}

function tabItem(node: TreeNode): TreeNode[] {
  const label = attributeOf(node, 'label') ?? attributeOf(node, 'value') ?? ''
  return label === '' ? blocksOf(node) : [captionOf(label), ...blocksOf(node)]
}

function admonition(node: TreeNode): TreeNode[] {
  const type = attributeOf(node, 'type') ?? 'note'
  const title = attributeOf(node, 'title') ?? ''
  const body = { ...node, children: blocksOf(node) }
  return [alertNode(isAlertName(type) ? type : 'note', title === '' ? [] : [textNode(title)], body)]
}

function details(node: TreeNode): TreeNode[] {
  const summary = attributeOf(node, 'summary') ?? ''
  return [
    detailsNode(summary === '' ? [] : [textNode(summary)], false, { ...node, children: blocksOf(node) }),
  ]
}

function codeBlock(node: TreeNode): TreeNode[] {
  const title = attributeOf(node, 'title') ?? ''
  const value = (node.children ?? []).map(plainTextOf).join('\n')
  const lang = attributeOf(node, 'language') ?? null
  const code: TreeNode = {
    type: 'code',
    value,
    lang,
    meta: null,
    ...(node.position && { position: node.position }),
  }
  return title === '' ? [code] : [captionOf(title), code]
}

function link(node: TreeNode): TreeNode[] {
  const href = attributeOf(node, 'to') ?? attributeOf(node, 'href')
  return href === undefined ? children(node) : [inlineElement('a', { href: withoutPathname(href) }, node)]
}

const WORDS = new Set([
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'link',
  'image',
  'break',
  'html',
])

/** What stands in a component on one line has no paragraph around it. */
export function blocksOf({ children: inner = [] }: TreeNode): TreeNode[] {
  const isText = inner.every(({ type }) => WORDS.has(type))
  if (!isText) return inner
  return inner.every(isBlank) ? [] : [paragraphOf(inner)]
}
