import type { Element } from 'hast'
import type { List, ListItem } from 'mdast'
import { blockKey } from './block-key.ts'
import { changeNumber, numberOf } from './item-number.ts'
import { endOf, indentOf, type ListContext, startOf } from './list-context.ts'
import { mergeItem } from './merge-item.ts'
import { pairKeys } from './pair-keys.ts'
import { writeItem } from './write-item.ts'

/** An item of the new list: one of the author's, with what it is on the target where that differs, or one that is new. */
type Entry =
  | { readonly kind: 'source'; readonly index: number; readonly now: Element | undefined }
  | { readonly kind: 'new'; readonly now: Element }

/**
 * A list of the author with the items of the target: those that say the same stay to the byte, but for their number,
 * the others are written as their neighbours are. Undefined where the two lists cannot be compared.
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
  const numbers = createNumbers(list, before, after, entries, body)
  let text = ''
  entries.forEach((entry, place) => {
    const earlier = entries[place - 1]
    const isNextTo =
      entry.kind === 'source' && earlier?.kind === 'source' && earlier.index === entry.index - 1
    if (place > 0) text += isNextTo ? (gaps[entry.index] ?? usualGap) : usualGap
    text += writeEntry(entry, old, numbers[place], list, context)
  })
  return text
}

function writeEntry(
  entry: Entry,
  old: readonly Element[],
  number: number | undefined,
  list: List,
  context: ListContext,
): string {
  const { body, eol } = context
  const style = { list, number, indent: indentOf(startOf(list), body) }
  if (entry.kind === 'new') return writeItem(entry.now, style, context)
  const item = list.children[entry.index] as ListItem
  const was = old[entry.index] as Element
  const text =
    entry.now === undefined
      ? body.slice(startOf(item), endOf(item))
      : mergeItem(item, was, entry.now, { ...context, mergeList })
  if (text === undefined) return writeItem(entry.now as Element, style, context)
  return number === undefined ? text : changeNumber(text, number, eol)
}

/** Undefined where it holds anything but items. */
function itemsOf({ children }: Element): Element[] | undefined {
  const items = children.filter((child) => child.type === 'element')
  const isPlain = items.every(({ tagName }) => tagName === 'li')
  return isPlain && children.every((child) => child.type !== 'text' || child.value.trim() === '')
    ? items
    : undefined
}

/** Items that differ and stand in one place are taken for versions of each other, one by one. */
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
    // The next of the author's items that stays ends what this one may be a version of.
    if (upTo <= place) upTo = findNext(pairs, place, now.length)
    const end = pairs.get(upTo) ?? old.length
    return from < end ? { kind: 'source', index: from++, now: item } : { kind: 'new', now: item }
  })
}

/** The next place from `place` on of which `pairs` knows; `end` where there is none. */
function findNext(pairs: ReadonlyMap<number, number>, place: number, end: number): number {
  let next = place
  while (next < end && !pairs.has(next)) next++
  return next
}

/** The number of each entry; undefined where its own stays. */
function createNumbers(
  list: List,
  before: Element,
  after: Element,
  entries: readonly Entry[],
  body: string,
): (number | undefined)[] {
  if (list.ordered !== true) return []
  const own = list.children.map((item) => numberOf(body.slice(startOf(item))))
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
