import type { Element } from 'hast'
import type { ListItem } from 'mdast'
import { takeCheckbox } from '../../content/write-back/html/list-item-handler.ts'
import { blockKey } from './block-key.ts'
import { endOf, indentOf, type ListContext, type MergeNested, startOf } from './list-context.ts'
import { topNodes } from './top-nodes.ts'

export interface ItemContext extends ListContext {
  readonly mergeList: MergeNested
}

/**
 * An item of the author with what the target has: blocks of it that say the same stay to the byte. Undefined where its
 * blocks do not stand against each other one by one.
 */
export function mergeItem(
  item: ListItem,
  before: Element,
  after: Element,
  context: ItemContext,
): string | undefined {
  const [was, now] = [takeCheckbox(before), takeCheckbox(after)]
  const [old, news] = [topNodes(was.children), topNodes(now.children)]
  const isComparable = old.length === item.children.length && news.length === old.length
  const isAlike = old.every(({ tagName }, index) => tagName === news[index]?.tagName)
  if (!isComparable || !isAlike || (was.box === undefined) !== (now.box === undefined)) return undefined
  const { body } = context
  let text = ''
  let at = startOf(item)
  item.children.forEach((block, index) => {
    const [from, to] = [old[index], news[index]] as [Element, Element]
    if (blockKey(from) === blockKey(to)) return
    text += body.slice(at, startOf(block)) + writeBlock(block, from, to, context)
    at = endOf(block)
  })
  text += body.slice(at, endOf(item))
  const isSameBox = was.box?.properties['checked'] === now.box?.properties['checked']
  return isSameBox ? text : text.replace(/\[[ xX]\]/, isChecked(now.box) ? '[x]' : '[ ]')
}

function isChecked(box: Element | undefined): boolean {
  return Boolean(box?.properties['checked'])
}

function writeBlock(
  block: ListItem['children'][number],
  before: Element,
  after: Element,
  context: ItemContext,
): string {
  const { body, eol, write, mergeList } = context
  const merged = block.type === 'list' ? mergeList(block, before, after, context) : undefined
  if (merged !== undefined) return merged
  const indent = indentOf(startOf(block), body)
  const lines = write([after]).trimEnd().split('\n')
  return lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join(eol)
}
