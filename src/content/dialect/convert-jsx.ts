import { VOID_ELEMENTS } from '../../core/model/element-mapping.ts'
import type { Conversion } from './conversion.ts'
import { propertiesOf, reportUnread, textAttributes } from './jsx-attributes.ts'
import { findComponent } from './known-components.ts'
import { missingAttribute, type OwnElement, withoutAttribute } from './own-elements.ts'
import { PHRASING } from './phrasing.ts'
import { blockElement, inlineElement, type TreeNode } from './tree-node.ts'

/** A tag of MDX as Markdown; its children are converted already. */
export function convertJsx(node: TreeNode, conversion: Conversion): TreeNode[] {
  const name = node.name ?? ''
  if (name === '') return node.children ?? []
  if (/^[a-z][a-z\d]*$/.test(name)) return convertElement(name, node, conversion)
  const own = conversion.findOwn(name, () => textAttributes(node, conversion))
  if (own !== undefined) return convertOwn(node, name, own, conversion)
  const known = findComponent(name)
  if (known !== undefined) {
    conversion.hasElements = true
    reportUnread(node, conversion)
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
  return [elementOf(name, propertiesOf(node, conversion), node)]
}

/** A component that the configuration turns into an element. */
function convertOwn(node: TreeNode, name: string, own: OwnElement, conversion: Conversion): TreeNode[] {
  conversion.hasElements = true
  const properties = propertiesOf(node, conversion, own)
  const lacking = missingAttribute(own.element, (attribute) => attribute in properties)
  if (lacking !== undefined) {
    conversion.problems.push({
      code: 'component-removed',
      ...conversion.places.ofTag(node, name),
      ...withoutAttribute(`<${name}>`, own.element, lacking),
    })
  }
  if (!VOID_ELEMENTS.has(own.element)) return [elementOf(own.element, properties, node)]
  return [elementOf(own.element, properties, { ...node, children: [] }), ...(node.children ?? [])]
}

function elementOf(name: string, properties: Record<string, unknown>, node: TreeNode): TreeNode {
  if (node.type === 'mdxJsxTextElement' || isPhrase(name)) {
    return inlineElement(name, properties, { ...node, children: withoutParagraph(node) })
  }
  return blockElement(name, properties, node)
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
    hint: 'Name the element that it is in components of the configuration, or say in Markdown what a reader has to know.',
  })
}
