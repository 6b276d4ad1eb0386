import { isScalar, isSeq, type Node } from 'yaml'
import { lineEndAfter, lineStartAt, type RangeEdit } from './text-edits.ts'
import { formatText } from './yaml-value.ts'

interface Item {
  readonly value: string
  /** Offsets of the value itself. */
  readonly from: number
  readonly to: number
}

/**
 * Makes the list that `node` is into `wanted`, keeping how it and its items are written; undefined where the list is
 * written in a way that cannot be edited in parts.
 */
export function editList(
  yaml: string,
  node: unknown,
  wanted: readonly string[],
  eol: string,
): RangeEdit[] | undefined {
  if (!isSeq(node) || !node.range) return undefined
  const items = node.items.flatMap((item) => itemOf(item as Node))
  if (items.length < node.items.length || items.length === 0) return undefined
  const [from, to] = node.range
  if (node.flow === true) {
    const text = `[${wanted.map((value) => writtenAs(yaml, items, value, true)).join(', ')}]`
    return [{ from, to, text }]
  }
  return wanted.length === 0 ? undefined : editBlock(yaml, items, wanted, eol)
}

function itemOf(node: Node): Item[] {
  if (!isScalar(node) || !node.range || typeof node.value !== 'string') return []
  return [{ value: node.value, from: node.range[0], to: node.range[1] }]
}

function writtenAs(yaml: string, items: readonly Item[], value: string, inFlow: boolean): string {
  const item = items.find((each) => each.value === value)
  const source = item === undefined ? undefined : yaml.slice(item.from, item.to)
  return source === undefined || source.includes('\n') ? formatText(value, { inFlow }) : source
}

/** Lines of items that go are taken out, new ones are put behind the last that stays before them. */
function editBlock(
  yaml: string,
  items: readonly Item[],
  wanted: readonly string[],
  eol: string,
): RangeEdit[] | undefined {
  const kept = items.filter(({ value }) => wanted.includes(value))
  const first = items[0] as Item
  const dash = lineStartAt(yaml, first.from)
  const indent = yaml.slice(dash, first.from)
  const isUsual = /^[ \t]*- +$/.test(indent) && new Set(kept.map(({ value }) => value)).size === kept.length
  const inOrder = kept.every(
    ({ value }, index) => wanted.filter((each) => isKept(each, kept))[index] === value,
  )
  if (!isUsual) return undefined
  if (!inOrder) return reorder(yaml, { items, wanted, indent, eol })
  const removed = items
    .filter((item) => !kept.includes(item))
    .map((item) => ({ from: lineStartAt(yaml, item.from), to: endOfItem(yaml, item), text: '' }))
  let at = dash
  const added = wanted.flatMap((value): RangeEdit[] => {
    const item = kept.find((each) => each.value === value)
    if (item !== undefined) at = endOfItem(yaml, item)
    const gap = at > 0 && yaml.charAt(at - 1) !== '\n' ? eol : ''
    return item === undefined ? [{ from: at, to: at, text: `${gap}${indent}${formatText(value)}${eol}` }] : []
  })
  return [...added, ...removed]
}

/** All items anew, each with its line as it was; comments on lines of their own follow. */
function reorder(
  yaml: string,
  list: { items: readonly Item[]; wanted: readonly string[]; indent: string; eol: string },
): RangeEdit[] {
  const { items, wanted, indent, eol } = list
  const lines = wanted.map((value) => {
    const item = items.find((each) => each.value === value)
    const line = item === undefined ? formatText(value) : yaml.slice(item.from, endOfItem(yaml, item))
    return `${indent}${line.replace(/\r?\n$/, '')}${eol}`
  })
  const all = items.map((item) => ({
    from: lineStartAt(yaml, item.from),
    to: endOfItem(yaml, item),
    text: '',
  }))
  return [{ from: all[0]?.from ?? 0, to: all[0]?.from ?? 0, text: lines.join('') }, ...all]
}

function isKept(value: string, kept: readonly Item[]): boolean {
  return kept.some((item) => item.value === value)
}

function endOfItem(yaml: string, { to }: Item): number {
  return yaml.charAt(to - 1) === '\n' ? to : lineEndAfter(yaml, to)
}
