import type { Element, ElementContent } from 'hast'
import type { List, ListItem } from 'mdast'
import { takeCheckbox } from '../../content/from-html/html-handlers.ts'
import type { MarkdownStyle } from '../../content/from-html/stringify-markdown.ts'
import { blockKey, pairKeys } from './match-blocks.ts'
import { endOf, indentOf, type ListContext, startOf } from './file-style.ts'
import { topNodes } from './source-blocks.ts'

/** An item of the new list: one of the author's, with its version on the target if that differs, or a new one. */
type Entry =
  | { readonly kind: 'source'; readonly index: number; readonly now: Element | undefined }
  | { readonly kind: 'new'; readonly now: Element }

/**
 * Merges an author's list with the items of the target. Equal items stay byte-identical, except for their number; the
 * others are written in the style of their neighbours. Returns undefined if the two lists cannot be compared.
 *
 * @param before what the list renders to
 */
export function mergeList(
  list: List,
  before: Element,
  after: Element,
  context: ListContext,
): string | undefined {
  const [old, now] = [itemsOf(before), itemsOf(after)]
  const isComparable = before.tagName === after.tagName && old?.length === list.children.length
  if (old === undefined || now === undefined || now.length === 0 || !isComparable) return undefined
  const entries = pairItems(old, now)
  const { body, eol } = context
  const gaps = list.children.map((item, index) =>
    body.slice(endOf(list.children[index - 1] ?? item), startOf(item)),
  )
  const usualGap = gaps[1] ?? eol + (list.spread === true ? eol : '') + indentOf(startOf(list), body)
  const numbers = numberEntries(list, before, after, entries, body)
  const write = (entry: Entry, number: number | undefined): string => {
    const style = { list, number, indent: indentOf(startOf(list), body) }
    if (entry.kind === 'new') return writeItem(entry.now, style, context)
    const item = list.children[entry.index] as ListItem
    const was = old[entry.index] as Element
    const written =
      entry.now === undefined
        ? body.slice(startOf(item), endOf(item))
        : mergeItem(item, was, entry.now, context)
    if (written === undefined) return writeItem(entry.now as Element, style, context)
    return number === undefined ? written : changeNumber(written, number, eol)
  }
  let text = ''
  entries.forEach((entry, place) => {
    const earlier = entries[place - 1]
    const isNextTo =
      entry.kind === 'source' && earlier?.kind === 'source' && earlier.index === entry.index - 1
    if (place > 0) text += isNextTo ? (gaps[entry.index] ?? usualGap) : usualGap
    text += write(entry, numbers[place])
  })
  return text
}

/** Returns undefined if it contains anything but items. */
function itemsOf({ children }: Element): Element[] | undefined {
  const items = children.filter((child) => child.type === 'element')
  const isPlain = items.every(({ tagName }) => tagName === 'li')
  return isPlain && children.every((child) => child.type !== 'text' || child.value.trim() === '')
    ? items
    : undefined
}

/** Pairs different items at one position as versions of each other, one by one. */
function pairItems(old: readonly Element[], now: readonly Element[]): Entry[] {
  const pairs = pairKeys(old.map(blockKey), now.map(blockKey))
  let from = 0
  let upTo = 0
  return now.map((item, place): Entry => {
    const index = pairs.get(place)
    if (index !== undefined) {
      from = index + 1
      return { kind: 'source', index, now: undefined }
    }
    // The author's next kept item limits the candidates for this one.
    if (upTo <= place) upTo = findNext(pairs, place, now.length)
    const end = pairs.get(upTo) ?? old.length
    return from < end ? { kind: 'source', index: from++, now: item } : { kind: 'new', now: item }
  })
}

/** Returns the next index in `pairs` from `place` on, or `end` if there is none. */
function findNext(pairs: ReadonlyMap<number, number>, place: number, end: number): number {
  let next = place
  while (next < end && !pairs.has(next)) next++
  return next
}

/** Returns the number of each entry, or undefined if it keeps its own. */
function numberEntries(list: List, before: Element, after: Element, entries: readonly Entry[], body: string) {
  if (list.ordered !== true) return []
  const own = list.children.map((item) => Number.parseInt(body.slice(startOf(item)), 10))
  const [first = 1, second] = own
  const step = second === undefined || second !== first ? 1 : 0
  const isStartKept = startNumber(before) === startNumber(after)
  let isInPlace = isStartKept
  let next = isStartKept ? first : startNumber(after)
  return entries.map((entry, place) => {
    isInPlace &&= entry.kind === 'source' && entry.index === place
    const number = isInPlace ? (own[place] ?? next) : next
    next = number + step
    return isInPlace ? (entry.kind === 'source' && entry.now !== undefined ? number : undefined) : number
  })
}

function startNumber({ properties }: Element): number {
  const start = Number(properties['start'] ?? 1)
  return Number.isInteger(start) ? start : 1
}

const NUMBERED = /^(\d+)([.)])([ \t]*)/

/** Changes the number of an ordered item. If its width changes, the indentation of the item's content changes too. */
function changeNumber(item: string, number: number, eol: string): string {
  const [marker = '', digits = '', sign = '', space = ''] = NUMBERED.exec(item) ?? []
  if (marker === '' || digits === String(number)) return item
  const [first = '', ...others] = item.slice(marker.length).split(eol)
  const wider = String(number).length - digits.length
  const isOneLine = others.length === 0 || space.includes('\t')
  const fill = isOneLine ? space.length : Math.min(Math.max(space.length - wider, 1), 4)
  const shift = isOneLine ? 0 : wider + fill - space.length
  const pad = ' '.repeat(Math.max(shift, 0))
  const rest = others.map((line) => (line.trim() === '' ? line : pad + line))
  return [`${number}${sign}${isOneLine ? space : ' '.repeat(fill)}${first}`, ...rest].join(eol)
}

interface ItemStyle {
  /** The list whose style the item gets. */
  readonly list: List
  readonly number: number | undefined
  /** Indentation of the items of that list. */
  readonly indent: string
}

const MARKER = /^([-*+]|\d+[.)])([ \t]*)/

/** Writes an item of the target in the style of its neighbours. The first line is not indented. */
function writeItem(item: Element, { list, number, indent }: ItemStyle, context: ListContext): string {
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

/**
 * Merges an author's item with the target's. Equal blocks stay byte-identical. Returns undefined if their blocks do not
 * correspond one to one.
 */
function mergeItem(item: ListItem, before: Element, after: Element, context: ListContext) {
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
  context: ListContext,
): string {
  const { body, eol, write } = context
  const merged = block.type === 'list' ? mergeList(block, before, after, context) : undefined
  if (merged !== undefined) return merged
  const indent = indentOf(startOf(block), body)
  const lines = write([after]).trimEnd().split('\n')
  return lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join(eol)
}
