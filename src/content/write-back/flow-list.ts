import { isDeepStrictEqual } from 'node:util'
import type { TextEdit } from '../../core/text-edits.ts'

/** A list in brackets, as in JSON and TOML. */
interface FlowList {
  /** Offsets of the brackets. */
  readonly from: number
  readonly to: number
  readonly items: readonly FlowItem[]
}

interface FlowItem {
  readonly value: unknown
  /** Offsets of the value itself. */
  readonly from: number
  readonly to: number
}

/**
 * Changes `list` to `wanted`. Items that stay at its start and end keep their text and what surrounds them.
 *
 * @param separator the text between two items, if the list has fewer than two
 */
export function editFlowList(
  text: string,
  list: FlowList,
  wanted: readonly unknown[],
  separator: string,
  format: (value: unknown) => string,
): TextEdit[] {
  const { items } = list
  const start = countSame(items, wanted)
  const rest = Math.min(items.length, wanted.length) - start
  const end = Math.min(rest, countSame(items.toReversed(), wanted.toReversed()))
  const gone = items.slice(start, items.length - end)
  const added = wanted
    .slice(start, wanted.length - end)
    .map((value) => writtenAs(text, items, value) ?? format(value))
  if (gone.length === 0 && added.length === 0) return []
  const [before, after] = [items[start - 1], items[items.length - end]]
  const [first, last] = [gone[0], gone.at(-1)]
  const between = separatorOf(text, list) ?? separator
  if (first !== undefined && last !== undefined) {
    if (added.length > 0) return [{ from: first.from, to: last.to, text: added.join(between) }]
    if (after !== undefined) return [{ from: first.from, to: after.from, text: '' }]
    if (before !== undefined) return [{ from: before.to, to: last.to, text: '' }]
    return [{ from: list.from, to: list.to, text: '[]' }]
  }
  if (before !== undefined)
    return [{ from: before.to, to: before.to, text: added.map((item) => between + item).join('') }]
  if (after !== undefined)
    return [{ from: after.from, to: after.from, text: added.map((item) => item + between).join('') }]
  return [{ from: list.from, to: list.to, text: `[${added.join(separator)}]` }]
}

function countSame(items: readonly FlowItem[], wanted: readonly unknown[]): number {
  const differs = items.findIndex(
    ({ value }, index) => index >= wanted.length || !isDeepStrictEqual(value, wanted[index]),
  )
  return differs === -1 ? items.length : differs
}

function writtenAs(text: string, items: readonly FlowItem[], value: unknown): string | undefined {
  const item = items.find((each) => isDeepStrictEqual(each.value, value))
  return item === undefined ? undefined : text.slice(item.from, item.to)
}

/** Returns the text between the items, without comments. In a list with one item, that item's own line shows it. */
function separatorOf(text: string, { from, items }: FlowList): string | undefined {
  const [first, second] = items
  if (first === undefined) return undefined
  const gap = second === undefined ? '' : text.slice(first.to, second.from)
  if (/^\s*,\s*$/.test(gap)) return gap
  const lead = text.slice(from + 1, first.from)
  const indent = /\r?\n[ \t]*$/.exec(lead)?.[0]
  return indent === undefined ? undefined : `,${indent}`
}
