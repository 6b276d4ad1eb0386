import type { Element, ElementContent } from 'hast'
import type { List } from 'mdast'
import type { MarkdownStyle } from '../../content/write-back/html/markdown-style.ts'
import { type ListContext, startOf } from './list-context.ts'

export interface ItemStyle {
  /** The list that the item is to look like a part of. */
  readonly list: List
  readonly number: number | undefined
  /** What stands before the items of that list. */
  readonly indent: string
}

const MARKER = /^([-*+]|\d+[.)])([ \t]*)/

/** Writes an item of the target as its neighbours are written; the first line is not indented. */
export function writeItem(item: Element, { list, number, indent }: ItemStyle, context: ListContext): string {
  const { body, eol, write } = context
  const [, sign = '-', space = ' '] = MARKER.exec(body.slice(startOf(list))) ?? []
  const parent: Element = {
    type: 'element',
    tagName: list.ordered === true ? 'ol' : 'ul',
    properties: number === undefined ? {} : { start: number },
    children: [isTight(list) ? withoutParagraph(item) : item],
  }
  const written = write([parent], { ...styleOf(sign), listItemIndent: 'one' }).trimEnd()
  const marker = MARKER.exec(written)?.[1] ?? sign
  const isUsual = space.length > 0 && space.length < 5 && !space.includes('\t')
  const fill = ' '.repeat(isUsual ? Math.max(sign.length + space.length - marker.length - 1, 0) : 0)
  const [first = '', ...others] = written.split('\n')
  const opening = first === marker ? first : `${marker}${fill}${first.slice(marker.length)}`
  return [opening, ...others.map((line) => (line === '' ? line : indent + fill + line))].join(eol)
}

function styleOf(sign: string): MarkdownStyle {
  const last = sign.at(-1)
  return last === '.' || last === ')' ? { bulletOrdered: last } : { bullet: last as '-' | '*' | '+' }
}

function isTight({ spread, children }: List): boolean {
  return spread !== true && children.every((item) => item.spread !== true)
}

/** Editors put the text of every item in a paragraph, which would make the whole list loose. */
function withoutParagraph(item: Element): Element {
  const isParagraph = (node: ElementContent): boolean => node.type === 'element' && node.tagName === 'p'
  if (item.children.filter(isParagraph).length !== 1) return item
  return {
    ...item,
    children: item.children.flatMap((child) =>
      child.type === 'element' && isParagraph(child) ? child.children : [child],
    ),
  }
}
