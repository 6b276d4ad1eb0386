import { find, html, type Info } from 'property-information'
import type { ComponentKind, Dialect } from '../../core/dialects/dialect.ts'
import { kindIn } from '../../core/dialects/dialects.ts'
import { HEADING_ELEMENTS, VOID_ELEMENTS } from '../../core/model/element-mapping.ts'
import { URL_PROPERTIES } from '../markdown/screen-url.ts'
import { type Conversion, withoutFilePrefix } from './conversion.ts'
import { readAddressExpression, readConstant, readExpression } from './expressions.ts'
import { missingAttribute, type OwnElement, withoutAttribute } from './own-elements.ts'
import { alertNode, isAlertWord } from './alerts.ts'
import {
  blockElement,
  captionOf,
  codeTabs,
  detailsNode,
  inlineElement,
  isBlank,
  type JsxAttribute,
  paragraphOf,
  PHRASING,
  plainTextOf,
  tabNode,
  textNode,
  type TreeNode,
} from './tree-node.ts'
import { isUrlAttribute, unresolvedProblem } from './unresolved.ts'

/** Converts an MDX tag to Markdown. Its children are already converted. */
export function convertJsx(node: TreeNode, conversion: Conversion): TreeNode[] {
  const name = node.name ?? ''
  if (name === '') return node.children ?? []
  if (/^[a-z][a-z\d]*$/.test(name)) return convertElement(name, node, conversion)
  const own = conversion.findOwn(name, () => textAttributes(node, conversion))
  if (own !== undefined) return convertOwn(node, name, own, conversion)
  const kind = kindIn(conversion.dialect.text.components, name)
  if (kind !== undefined) {
    conversion.hasElements = true
    reportUnread(node, conversion)
    return COMPONENTS[kind](node, conversion.dialect)
  }
  reportComponent(node, name, conversion)
  return node.children ?? []
}

/** Elements that a page runs or applies, but does not show. */
const UNSEEN_ELEMENTS = new Set(['script', 'style', 'template', 'head'])

function convertElement(name: string, node: TreeNode, conversion: Conversion): TreeNode[] {
  if (UNSEEN_ELEMENTS.has(name)) return []
  conversion.hasElements = true
  return [elementOf(name, propertiesOf(node, conversion), node)]
}

/** Converts a component to the element that the configuration defines. */
function convertOwn(node: TreeNode, name: string, own: OwnElement, conversion: Conversion): TreeNode[] {
  conversion.hasElements = true
  const properties = propertiesOf(node, conversion, own)
  const lacking = missingAttribute(own.element, (attribute) => attribute in properties)
  if (lacking !== undefined) {
    conversion.problems.push({
      code: 'component-removed',
      ...conversion.ranges.ofTag(node, name),
      ...withoutAttribute(`<${name}>`, own.element, lacking),
    })
  }
  if (!VOID_ELEMENTS.has(own.element)) return [elementOf(own.element, properties, node)]
  return [elementOf(own.element, properties, { ...node, children: [] }), ...(node.children ?? [])]
}

function elementOf(name: string, properties: Record<string, unknown>, node: TreeNode): TreeNode {
  const isUnseen = name === 'img' && !('src' in properties) && !('srcSet' in properties)
  if (isUnseen) {
    const { alt } = properties
    const text = textNode(typeof alt === 'string' ? alt : '', node.position)
    return node.type === 'mdxJsxTextElement' ? text : paragraphOf([text])
  }
  if (node.type === 'mdxJsxTextElement' || PHRASING.has(name) || PHRASING_PARENTS.has(name))
    return inlineElement(name, properties, { ...node, children: withoutParagraph(node) })
  return blockElement(name, properties, node)
}

const PHRASING_PARENTS = new Set<string>(['p', 'summary', ...HEADING_ELEMENTS, 'dt', 'figcaption', 'caption'])

/** Unwraps the paragraph that MDX puts around text on its own lines, which is not allowed inside such an element. */
function withoutParagraph({ children = [] }: TreeNode): TreeNode[] {
  const [first] = children
  return children.length === 1 && first?.type === 'paragraph' ? (first.children ?? []) : children
}

export function reportComponent(
  node: Pick<TreeNode, 'position'>,
  name: string,
  { ranges, problems }: Conversion,
): void {
  problems.push({
    code: 'component-removed',
    ...ranges.ofTag(node, name),
    message: `The component <${name}> is unknown, so only its content was kept.`,
    hint: 'Map it to an element with components in the configuration, or write its information in Markdown.',
  })
}

const COMPONENTS: Readonly<Record<ComponentKind, (node: TreeNode, dialect: Dialect) => TreeNode[]>> = {
  content: childrenOf,
  words: childrenOf,
  tabs: childrenOf,
  codes: ({ children = [] }) => codeTabs(children, true),
  nothing: () => [],
  tab: (node) => titled(node, (label, body) => [tabNode([textNode(label)], body)]),
  card,
  step: (node) =>
    listOf(
      true,
      titled(node, (label, { children = [] }) => [captionOf(label), ...children]),
    ),
  entry: (node) => {
    const name = { type: 'inlineCode', value: attributeOf(node, 'name') ?? '' }
    return listOf(false, [paragraphOf([name]), ...(node.children ?? [])])
  },
  field,
  figure: (node) => {
    const caption = attributeOf(node, 'caption') ?? ''
    const below = caption === '' ? [] : [paragraphOf([{ type: 'emphasis', children: [textNode(caption)] }])]
    return [...blocksOf(node), ...below]
  },
  image,
  alert: admonition,
  details,
  code: codeBlock,
  link,
  'link-card': linkCard,
  badge,
}

function childrenOf({ children = [] }: TreeNode): TreeNode[] {
  return children
}

/** Returns true for a component that represents blocks, even inside a paragraph. */
export function isBlockComponent(name: string, { text }: Dialect): boolean {
  const kind = kindIn(text.components, name)
  return kind !== undefined && !['badge', 'image', 'link', 'words'].includes(kind)
}

function titled(node: TreeNode, show: (label: string, body: TreeNode) => TreeNode[]): TreeNode[] {
  const label = firstOf(node, ['label', 'title', 'value', 'name'])
  return label === '' ? blocksOf(node) : show(label, { ...node, children: blocksOf(node) })
}

/** Labels tabs that have no label of their own with the `items` of the component around them. */
export function labelTabs(node: TreeNode, { text: { components } }: Dialect): void {
  if (!node.type.startsWith('mdxJsx') || kindIn(components, node.name ?? '') !== 'tabs') return
  const written = attributesOf(node).find(({ name }) => name === 'items')?.value
  if (typeof written !== 'object' || written === null) return
  const labels = Array.from(written.value.matchAll(/(['"`])([^'"`$]*)\1/g), ([, , label = '']) => label)
  const tabs = (node.children ?? []).filter(({ name }) => kindIn(components, name ?? '') === 'tab')
  // An object among the items contains other texts, too.
  if (labels.length !== tabs.length) return
  for (const [index, tab] of tabs.entries()) {
    const label = { type: 'mdxJsxAttribute', name: 'label', value: labels[index] ?? '' }
    if (firstOf(tab, ['label', 'title']) === '') tab.attributes = [label, ...attributesOf(tab)]
  }
}

/** Returns the first of these attributes that is not empty, or an empty text. */
function firstOf(node: TreeNode, names: readonly string[]): string {
  return names.map((name) => attributeOf(node, name) ?? '').find((value) => value !== '') ?? ''
}

function card(node: TreeNode, dialect: Dialect): TreeNode[] {
  const description = attributeOf(node, 'description') ?? ''
  return titled(node, (label, { children = [] }) => [
    paragraphOf([{ type: 'strong', children: link({ ...node, children: [textNode(label)] }, dialect) }]),
    ...(description === '' ? [] : [paragraphOf([textNode(description)])]),
    ...children,
  ])
}

function listOf(isOrdered: boolean, children: TreeNode[]): TreeNode[] {
  const item: TreeNode = { type: 'listItem', children }
  return [{ type: 'list', ordered: isOrdered, children: [item], data: { isPart: true } }]
}

function field(node: TreeNode): TreeNode[] {
  const value = attributeOf(node, 'default') ?? ''
  const isRequired = attributesOf(node).some(
    // As a value in a text, `false` is empty.
    (each) => each.name === 'required' && writtenValueOf(each) !== 'false',
  )
  const words = [attributeOf(node, 'type') ?? '', isRequired ? 'required' : '']
  const code = (text: string) => ({ type: 'inlineCode', value: text })
  const head = [
    code(firstOf(node, ['name', 'query', 'path', 'body', 'header', 'cookie'])),
    ...words.filter(Boolean).map((word) => textNode(` ${word}`)),
    ...(value === '' ? [] : [textNode(' = '), code(value)]),
  ]
  return [paragraphOf(head), ...blocksOf(node)]
}

function image(node: TreeNode): TreeNode[] {
  const url = attributeOf(node, 'src')
  const alt = attributeOf(node, 'alt') ?? ''
  if (url === undefined) return alt === '' ? [] : [textNode(alt)]
  const shown = { type: 'image', url, alt, ...(node.position && { position: node.position }) }
  return [node.type === 'mdxJsxTextElement' ? shown : paragraphOf([shown])]
}

function admonition(node: TreeNode): TreeNode[] {
  const own = (node.name ?? '').toLowerCase()
  const type = attributeOf(node, 'type') ?? attributeOf(node, 'theme') ?? (isAlertWord(own) ? own : 'note')
  const title = attributeOf(node, 'title') ?? ''
  const body = { ...node, children: blocksOf(node) }
  return [alertNode(isAlertWord(type) ? type : 'note', title === '' ? [] : [textNode(title)], body)]
}

function details(node: TreeNode): TreeNode[] {
  const summary = firstOf(node, ['summary', 'title'])
  return [
    detailsNode(summary === '' ? [] : [textNode(summary)], false, { ...node, children: blocksOf(node) }),
  ]
}

function codeBlock(node: TreeNode): TreeNode[] {
  const title = attributeOf(node, 'title') ?? ''
  const value = attributeOf(node, 'code') ?? (node.children ?? []).map(plainTextOf).join('\n')
  const lang = attributeOf(node, 'language') ?? attributeOf(node, 'lang') ?? null
  const code: TreeNode = {
    type: 'code',
    value,
    lang,
    meta: null,
    ...(node.position && { position: node.position }),
  }
  return title === '' ? [code] : [captionOf(title), code]
}

function badge(node: TreeNode): TreeNode[] {
  const text = attributeOf(node, 'text')
  return [inlineElement('sup', {}, text === undefined ? node : { children: [textNode(text)] })]
}

function link(node: TreeNode, dialect: Dialect): TreeNode[] {
  const href = attributeOf(node, 'to') ?? attributeOf(node, 'href')
  return href === undefined
    ? childrenOf(node)
    : [inlineElement('a', { href: withoutFilePrefix(href, dialect) }, node)]
}

function linkCard(node: TreeNode, dialect: Dialect): TreeNode[] {
  const title = attributeOf(node, 'title') ?? ''
  const description = attributeOf(node, 'description') ?? ''
  const words = title === '' ? [] : link({ ...node, children: [textNode(title)] }, dialect)
  return [words, description === '' ? [] : [textNode(description)], node.children ?? []]
    .filter((each) => each.length > 0)
    .flatMap((each) => blocksOf({ ...node, children: each }))
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

function blocksOf({ children: inner = [] }: TreeNode): TreeNode[] {
  const isText = inner.every(({ type }) => WORDS.has(type))
  if (!isText) return inner
  return inner.every(isBlank) ? [] : [paragraphOf(inner)]
}

export function textAttributes(node: TreeNode, conversion: Conversion): Record<string, string> {
  return Object.fromEntries(
    attributesOf(node).flatMap((attribute) => {
      const value = attribute.name === undefined ? undefined : textOf(attribute, conversion)
      return attribute.name === undefined || value === undefined ? [] : [[attribute.name, value]]
    }),
  )
}

function attributesOf({ attributes }: TreeNode): readonly JsxAttribute[] {
  return Array.isArray(attributes) ? (attributes as readonly JsxAttribute[]) : []
}

/** Returns the text of an attribute, or undefined if it is missing or requires running code. */
export function attributeOf(node: TreeNode, name: string): string | undefined {
  const attribute = attributesOf(node).find((each) => each.name === name)
  return attribute === undefined ? undefined : valueOf(attribute)
}

function valueOf({ value }: JsxAttribute): string | undefined {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return readAddressExpression(value.value) ?? readExpression(value.value)
}

function writtenValueOf({ value }: JsxAttribute): string {
  return (typeof value === 'object' ? value?.value : value)?.trim() ?? ''
}

/** Attributes that are used only by React and not part of the page, and styles, which belong to the theme. */
const UNSEEN = new Set(['key', 'ref', 'suppressHydrationWarning', 'class', 'className', 'style'])

/** Converts the attributes of an element to HTML properties. Adds a problem for each unknown value. */
function propertiesOf(node: TreeNode, conversion: Conversion, own?: OwnElement): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  if (own?.values !== undefined) {
    for (const [name, value] of Object.entries(own.values))
      addProperty(properties, name, value, { type: 'mdxJsxAttribute', value }, conversion.dialect)
    return properties
  }
  for (const attribute of attributesOf(node)) {
    const isDropped =
      own !== undefined && attribute.name !== undefined && own.nameOf(attribute.name) === undefined
    if (isDropped) continue
    const name =
      own === undefined || attribute.name === undefined ? attribute.name : own.nameOf(attribute.name)
    if (name !== undefined && UNSEEN.has(name)) continue
    const value = name === undefined ? undefined : textOf(attribute, conversion)
    if (name === undefined || value === undefined)
      reportAttribute(node, attribute, conversion, { tag: own?.element, name })
    else addProperty(properties, name, value, attribute, conversion.dialect)
  }
  return properties
}

/** Returns the text of an attribute, even if it is a name with a known value. */
function textOf(attribute: JsxAttribute, conversion: Conversion): string | undefined {
  const { value } = attribute
  const named = () =>
    typeof value === 'object' && value !== null ? readConstant(value.value, conversion) : undefined
  return valueOf(attribute) ?? named()
}

/** Attributes that components show or open. */
const SHOWN = new Set([
  'alt',
  'code',
  'description',
  'href',
  'label',
  'src',
  'summary',
  'title',
  'to',
  'values',
])

/** Adds a problem for each visible attribute of a known component whose value is unknown. */
function reportUnread(node: TreeNode, conversion: Conversion): void {
  for (const attribute of attributesOf(node)) {
    const { name } = attribute
    const isUnread = name === undefined || (SHOWN.has(name) && valueOf(attribute) === undefined)
    if (isUnread) reportAttribute(node, attribute, conversion)
  }
}

function addProperty(
  properties: Record<string, unknown>,
  name: string,
  value: string,
  { value: written }: JsxAttribute,
  dialect: Dialect,
): void {
  // The library has no entry for names that every object has, such as `__proto__`, in any case.
  const info = find(html, name) as Info | undefined
  if (info === undefined) return
  const { property, spaceSeparated } = info
  const isSwitch = written === null || written === undefined
  const isOff = typeof written === 'object' && written?.value.trim() === 'false'
  if (isOff) return
  if (isSwitch) properties[property] = true
  else if (spaceSeparated) properties[property] = value.split(/\s+/).filter(Boolean)
  else properties[property] = URL_PROPERTIES.has(property) ? withoutFilePrefix(value, dialect) : value
}

/** @param meant the element and attribute, if the configuration maps the written ones */
function reportAttribute(
  node: TreeNode,
  { name }: JsxAttribute,
  { ranges, problems }: Conversion,
  meant: { readonly tag?: string | undefined; readonly name?: string | undefined } = {},
): void {
  const tag = node.name ?? ''
  const shown = meant.name ?? name
  const what = name === undefined ? 'Attributes in braces' : `The attribute ${name}`
  const isUrl =
    shown === undefined ? /^(?:a|img|Link)$/.test(meant.tag ?? tag) : shown === 'to' || isUrlAttribute(shown)
  if (isUrl) {
    problems.push({ ...unresolvedProblem(`${what} of <${tag}>`, 'url'), ...ranges.ofTag(node, tag, name) })
    return
  }
  problems.push({
    code: 'expression-removed',
    ...ranges.ofTag(node, tag, name),
    message: `${what} of <${tag}> ${name === undefined ? 'were' : 'is an expression and was'} removed, because kb-sync runs no code.`,
    hint: 'Write the value in quotes.',
  })
}
