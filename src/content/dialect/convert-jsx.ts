import type { Conversion } from './conversion.ts'
import { propertiesOf } from './jsx-attributes.ts'
import { findComponent } from './known-components.ts'
import { PHRASING } from './phrasing.ts'
import { blockElement, inlineElement, type TreeNode } from './tree-node.ts'

/** A tag of MDX as Markdown; its children are converted already. */
export function convertJsx(node: TreeNode, conversion: Conversion): TreeNode[] {
  const name = node.name ?? ''
  if (name === '') return node.children ?? []
  if (/^[a-z][a-z\d]*$/.test(name)) return convertElement(name, node, conversion)
  const known = findComponent(name)
  if (known !== undefined) {
    conversion.hasElements = true
    return known(node)
  }
  reportComponent(node, name, conversion)
  return node.children ?? []
}

/** What the page would run or obey, and no reader sees. */
const UNSEEN = new Set(['script', 'style', 'template', 'head'])

function convertElement(name: string, node: TreeNode, conversion: Conversion): TreeNode[] {
  if (UNSEEN.has(name)) return []
  conversion.hasElements = true
  const properties = propertiesOf(node, conversion)
  if (node.type === 'mdxJsxTextElement' || isPhrase(name)) {
    return [inlineElement(name, properties, { ...node, children: withoutParagraph(node) })]
  }
  return [blockElement(name, properties, node)]
}

const HOLDS_WORDS = new Set([
  'p',
  'summary',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'dt',
  'figcaption',
  'caption',
])

function isPhrase(name: string): boolean {
  return PHRASING.has(name) || HOLDS_WORDS.has(name)
}

/** MDX makes a paragraph of words on lines of their own, which may not stand in an element for words. */
function withoutParagraph({ children = [] }: TreeNode): TreeNode[] {
  const [first] = children
  return children.length === 1 && first?.type === 'paragraph' ? (first.children ?? []) : children
}

export function reportComponent(
  node: Pick<TreeNode, 'position'>,
  name: string,
  { places, problems }: Conversion,
): void {
  problems.push({
    code: 'component-removed',
    ...places.ofTag(node, name),
    message: `The component <${name}> is not known here, so only what stands in it is kept.`,
    hint: 'Say in Markdown what a reader has to know of it.',
  })
}
