import type { Element, ElementContent, Root } from 'hast'
import type { Html } from 'mdast'
import { remark } from 'remark'
import { createProcessor } from '../markdown/create-processor.ts'
import { GAP_TAG, HTML_TAG, isInline } from './stand-ins.ts'

export type StringifyHtml = (tree: Root) => string

export function createHtmlStringifier(): StringifyHtml {
  const processor = createProcessor({ processor: remark }, [])
  return (tree) => processor.stringify(tree)
}

/**
 * Returns an element as raw HTML in Markdown, with escaped braces, which site builders would interpret, and without
 * blank lines, which would end the block.
 */
export function rawBlock(element: Element, stringify: StringifyHtml): Html {
  return { type: 'html', value: withoutBlankLines(serialise([withLineBreaks(element)], stringify)) }
}

/** Returns `<kbd>` and `</kbd>` for content that stays Markdown. */
export function tagsOf(element: Element, stringify: StringifyHtml): readonly [open: Html, close: Html] {
  const close = `</${element.tagName}>`
  const whole = oneLine(serialise([{ ...element, children: [] }], stringify))
  return [inline(whole.slice(0, -close.length), element), inline(close, element)]
}

export function rawInline(element: Element, stringify: StringifyHtml): Html {
  return inline(oneLine(serialise([element], stringify)), element)
}

// hast-util-to-mdast wraps inline nodes in paragraphs; `hName` marks this one as inline.
function inline(value: string, { tagName }: Element): Html {
  return { type: 'html', value, data: { hName: tagName } }
}

function serialise(children: ElementContent[], stringify: StringifyHtml): string {
  const html = stringify({ type: 'root', children: children.flatMap(withoutStandIns) }).replace(/\n$/, '')
  return html.replaceAll('<!--', '&#x3C;!--').replaceAll('{', '&#123;')
}

function withoutStandIns(node: ElementContent): ElementContent[] {
  if (node.type !== 'element') return [node]
  const children = node.children.flatMap(withoutStandIns)
  if (node.tagName === HTML_TAG) return children
  return [{ ...node, tagName: node.tagName === GAP_TAG ? 'p' : node.tagName, children }]
}

// In a table, a vertical bar would end the cell.
function oneLine(html: string): string {
  return html.replaceAll(/\s*[\r\n]\s*/g, ' ').replaceAll('|', '&#124;')
}

function withoutBlankLines(html: string): string {
  if (html.startsWith('<pre')) return html
  return html.replaceAll(/\n(?=[ \t]*(?:\n|$))/g, '&#10;')
}

const ON_LINES = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'dl', 'figure', 'picture', 'colgroup'])

/** Puts children of tables and lists on separate lines, for readability. */
function withLineBreaks(element: Element): Element {
  if (element.tagName === 'pre') return element
  const isOnLines = ON_LINES.has(element.tagName) && element.children.every(isApart)
  const children = element.children.flatMap((child): ElementContent[] => {
    if (!isOnLines) return [child.type === 'element' ? withLineBreaks(child) : child]
    if (child.type === 'text' && child.value.trim() === '') return []
    return [{ type: 'text', value: '\n' }, child.type === 'element' ? withLineBreaks(child) : child]
  })
  if (isOnLines) children.push({ type: 'text', value: '\n' })
  return { ...element, children }
}

function isApart(node: ElementContent): boolean {
  return node.type === 'text' ? node.value.trim() === '' : node.type !== 'element' || !isInline(node)
}
