import { isScalar, isSeq, type Node, Scalar, stringify } from 'yaml'
import type { FieldValue } from '../../core/model/article-difference.ts'
import { lineEndAfter, lineStartAt, type TextEdit } from '../../core/text-edits.ts'

interface ValueStyle {
  /** Inside `[ ]`, where more characters need quotes. */
  readonly inFlow?: boolean
  /** Previous quotes of the value, `QUOTE_DOUBLE` or `QUOTE_SINGLE`, which are kept. */
  readonly quotes?: string | undefined
}

/** Formats `value` as YAML on one line, with quotes only if necessary. */
export function formatValue(value: FieldValue, style: ValueStyle = {}): string {
  if (typeof value === 'string') return formatText(value, style)
  if (typeof value !== 'object') return String(value)
  return `[${value.map((item) => formatText(item, { inFlow: true })).join(', ')}]`
}

/** Formats text in the same way. */
export function formatText(text: string, { inFlow = false, quotes }: ValueStyle = {}): string {
  const isUnquoted = quotes !== Scalar.QUOTE_DOUBLE && quotes !== Scalar.QUOTE_SINGLE
  if (isUnquoted && isPlain(text) && !(inFlow && /[,[\]{}]/.test(text))) return text
  const fitsSingle = !text.includes("'") && !UNSEEN.test(text)
  return fitsSingle && quotes !== Scalar.QUOTE_DOUBLE ? `'${text}'` : doubleQuoted(text)
}

function isPlain(text: string): boolean {
  const written = stringify(text, { lineWidth: 0, blockQuote: false })
  return written === `${text}\n` && !UNSEEN.test(text) && (!AMBIGUOUS.test(text) || DATE.test(text))
}

// Values that YAML 1.1, which other tools use, reads as a boolean, a number or a date.
const AMBIGUOUS =
  /^(?:y|n|yes|no|on|off|true|false|null|~|<<|=|[-+]?\.?\d[\d._:xobeE+-]*|\d{4}-\d\d?-\d\d?\D.*)$/i
// A calendar date is usually written without quotes.
const DATE = /^\d{4}-\d{2}-\d{2}$/
// Control and direction characters, which a reader of the file would not see.
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/

function doubleQuoted(text: string): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replaceAll(new RegExp(UNSEEN.source, 'g'), escape)
}

interface Item {
  readonly value: string
  /** Offsets of the value itself. */
  readonly from: number
  readonly to: number
}

/**
 * Changes the list at `node` to `wanted` and keeps its style and that of its items. Returns undefined if the list
 * cannot be edited in parts.
 */
export function editList(
  yaml: string,
  node: unknown,
  wanted: readonly string[],
  eol: string,
): TextEdit[] | undefined {
  if (!isSeq(node) || !node.range) return undefined
  const items = node.items.flatMap((item) => itemOf(item as Node))
  if (items.length < node.items.length || items.length === 0) return undefined
  const [from, to] = node.range
  if (node.flow === true) {
    const text = `[${wanted.map((value) => writtenAs(yaml, items, value)).join(', ')}]`
    return [{ from, to, text }]
  }
  return wanted.length === 0 ? undefined : editBlock(yaml, items, wanted, eol)
}

function itemOf(node: Node): Item[] {
  if (!isScalar(node) || !node.range || typeof node.value !== 'string') return []
  return [{ value: node.value, from: node.range[0], to: node.range[1] }]
}

function writtenAs(yaml: string, items: readonly Item[], value: string): string {
  const item = items.find((each) => each.value === value)
  const source = item === undefined ? undefined : yaml.slice(item.from, item.to)
  return source === undefined || source.includes('\n') ? formatText(value, { inFlow: true }) : source
}

/** Removes the lines of removed items, and adds new ones after the last item that stays before them. */
function editBlock(
  yaml: string,
  items: readonly Item[],
  wanted: readonly string[],
  eol: string,
): TextEdit[] | undefined {
  const kept = items.filter(({ value }) => wanted.includes(value))
  const first = items[0] as Item
  const dash = lineStartAt(yaml, first.from)
  const indent = yaml.slice(dash, first.from)
  const isUsual = /^[ \t]*- +$/.test(indent) && new Set(kept.map(({ value }) => value)).size === kept.length
  const inOrder = kept.every(
    ({ value }, index) => wanted.filter((each) => kept.some((item) => item.value === each))[index] === value,
  )
  if (!isUsual) return undefined
  if (!inOrder) return reorder(yaml, { items, wanted, indent, eol })
  const removed = items
    .filter((item) => !kept.includes(item))
    .map((item) => ({ from: lineStartAt(yaml, item.from), to: endOfItem(yaml, item), text: '' }))
  let at = dash
  const added = wanted.flatMap((value): TextEdit[] => {
    const item = kept.find((each) => each.value === value)
    if (item !== undefined) at = endOfItem(yaml, item)
    const gap = at > 0 && yaml.charAt(at - 1) !== '\n' ? eol : ''
    return item === undefined ? [{ from: at, to: at, text: `${gap}${indent}${formatText(value)}${eol}` }] : []
  })
  return [...added, ...removed]
}

/** Writes all items again, each on its line. Comments on separate lines follow. */
function reorder(
  yaml: string,
  list: { items: readonly Item[]; wanted: readonly string[]; indent: string; eol: string },
): TextEdit[] {
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

function endOfItem(yaml: string, { to }: Item): number {
  return yaml.charAt(to - 1) === '\n' ? to : lineEndAfter(yaml, to)
}
