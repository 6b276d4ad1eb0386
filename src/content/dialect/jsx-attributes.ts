import { find, html, type Info } from 'property-information'
import { URL_PROPERTIES } from '../markdown/screen-url.ts'
import { readConstant } from './convert-expression.ts'
import type { Conversion } from './conversion.ts'
import type { OwnElement } from './own-elements.ts'
import { readAddressExpression, readExpression } from './read-expression.ts'
import { withoutPathname } from './static-address.ts'
import type { JsxAttribute, TreeNode } from './tree-node.ts'
import { isUrlAttribute, unresolvedProblem } from './unresolved.ts'

/** Those of which the text is known. */
export function textAttributes(node: TreeNode, conversion: Conversion): Record<string, string> {
  return Object.fromEntries(
    attributesOf(node).flatMap((attribute) => {
      const value = attribute.name === undefined ? undefined : textOf(attribute, conversion)
      return attribute.name === undefined || value === undefined ? [] : [[attribute.name, value]]
    }),
  )
}

export function attributesOf({ attributes }: TreeNode): readonly JsxAttribute[] {
  return Array.isArray(attributes) ? (attributes as readonly JsxAttribute[]) : []
}

/** An attribute's text; undefined where it is not there, or only running it would tell. */
export function attributeOf(node: TreeNode, name: string): string | undefined {
  const attribute = attributesOf(node).find((each) => each.name === name)
  return attribute === undefined ? undefined : valueOf(attribute)
}

function valueOf({ value }: JsxAttribute): string | undefined {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return readAddressExpression(value.value) ?? readExpression(value.value)
}

/** Names for React alone, which never come to a page, and how an element looks: that is the theme's affair. */
const UNSEEN = new Set(['key', 'ref', 'suppressHydrationWarning', 'class', 'className', 'style'])

/** The attributes of an element as properties of HTML; a problem for each that cannot be known. */
export function propertiesOf(
  node: TreeNode,
  conversion: Conversion,
  own?: OwnElement,
): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  if (own?.values !== undefined) {
    for (const [name, value] of Object.entries(own.values))
      addProperty(properties, name, value, { type: 'mdxJsxAttribute', value })
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
    else addProperty(properties, name, value, attribute)
  }
  return properties
}

/** Its text, also where it is a name that the page knows. */
function textOf(attribute: JsxAttribute, conversion: Conversion): string | undefined {
  const { value } = attribute
  const named = () =>
    typeof value === 'object' && value !== null ? readConstant(value.value, conversion) : undefined
  return valueOf(attribute) ?? named()
}

/** What components show or open of what they are given. */
const SHOWN = new Set(['alt', 'href', 'label', 'src', 'summary', 'title', 'to', 'values'])

/** A problem for each attribute of a known component that a reader would see, and that cannot be known. */
export function reportUnread(node: TreeNode, conversion: Conversion): void {
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
): void {
  // Of names that every object has, `__proto__` say, in whatever case, the library knows nothing but that they exist.
  const info = find(html, name) as Info | undefined
  if (info === undefined) return
  const { property, spaceSeparated } = info
  const isSwitch = written === null || written === undefined
  const isOff = typeof written === 'object' && written?.value.trim() === 'false'
  if (isOff) return
  if (isSwitch) properties[property] = true
  else if (spaceSeparated) properties[property] = value.split(/\s+/).filter(Boolean)
  else properties[property] = URL_PROPERTIES.has(property) ? withoutPathname(value) : value
}

/** @param meant the element and its attribute, where the configuration makes another one of what is written */
function reportAttribute(
  node: TreeNode,
  { name }: JsxAttribute,
  { places, problems }: Conversion,
  meant: { readonly tag?: string | undefined; readonly name?: string | undefined } = {},
): void {
  const tag = node.name ?? ''
  const shown = meant.name ?? name
  const what = name === undefined ? 'Attributes in braces' : `The attribute ${name}`
  const isUrl =
    shown === undefined ? /^(?:a|img|Link)$/.test(meant.tag ?? tag) : shown === 'to' || isUrlAttribute(shown)
  if (isUrl) {
    problems.push({ ...unresolvedProblem(`${what} of <${tag}>`, 'url'), ...places.ofTag(node, tag, name) })
    return
  }
  problems.push({
    code: 'expression-removed',
    ...places.ofTag(node, tag, name),
    message: `${what} of <${tag}> ${name === undefined ? 'were' : 'is an expression and was'} removed: no code is run.`,
    hint: 'Write the value in quotes.',
  })
}
