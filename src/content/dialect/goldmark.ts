// Syntax of Goldmark beyond GitHub Flavored Markdown: attributes, definition lists, and quotes with titles.
import { appendAll } from '../../core/append-all.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'
import { alertNode, isAlertName } from './alerts.ts'
import { blockElement, inlineElement, isBlank, type TreeNode } from './tree-node.ts'

const ATTRIBUTE = String.raw`[#.][\w:.\-\u0080-\uFFFF]+|[\w:-][\w:.-]*=(?:"(?:[^"\\]|\\.)*"|[^\s"',{}]+)`

const LIST = new RegExp(String.raw`^\{[ \t]*((?:${ATTRIBUTE})(?:[ \t,]+(?:${ATTRIBUTE}))*)[ \t]*\}[ \t]*$`)

/** Attributes as Goldmark reads them. Only the id matters; the others are styles. */
interface Attributes {
  readonly id: string | undefined
}

type ReadAttributes = (text: string) => Attributes | undefined

/** Reads `{#id .class key="value"}` without other text, else returns undefined. Takes linear time. */
export function readAttributes(text: string): Attributes | undefined {
  const list = text.startsWith('{') ? LIST.exec(text)?.[1] : undefined
  if (list === undefined) return undefined
  const found = [...list.matchAll(new RegExp(ATTRIBUTE, 'g'))].map(([each]) => idOf(each))
  return { id: found.find((id) => id !== undefined && id !== '') }
}

function idOf(attribute: string): string | undefined {
  if (attribute.startsWith('#')) return attribute.slice(1)
  return /^id="?([^"\\\s]*)"?$/.exec(attribute)?.[1]
}

// Attributes on their own line belong to the block before. Markdown parsers see the last line of a paragraph, or the
// last row of a table.

/** Removes such lines from the blocks and adds each id to its block. `readOwn` is the function of the dialect. */
export function dropAttributes(
  blocks: readonly TreeNode[],
  ranges: SourceRanges,
  readOwn?: ReadAttributes,
): TreeNode[] {
  const kept: TreeNode[] = []
  for (const block of blocks) {
    const before = kept.at(-1)
    const shown = block.type === 'paragraph' ? withoutLines(block, { before, ranges, readOwn }) : block
    if (shown?.type === 'table') shown.children = withoutRows(shown, ranges)
    if (shown !== undefined) kept.push(shown)
  }
  return kept
}

function withoutRows(table: TreeNode, ranges: SourceRanges): TreeNode[] {
  return (table.children ?? []).filter((row, index) => {
    const attributes = index === 0 ? undefined : attributesIn(ranges.textOf(row))
    if (attributes !== undefined) name(table, attributes)
    return attributes === undefined
  })
}

/** Returns undefined if nothing is left. */
function withoutLines(
  paragraph: TreeNode,
  {
    before,
    ranges,
    readOwn,
  }: {
    readonly before: TreeNode | undefined
    readonly ranges: SourceRanges
    readonly readOwn: ReadAttributes | undefined
  },
): TreeNode | undefined {
  const written = ranges.textOf(paragraph)
  const { children = [], position } = paragraph
  if (!written.includes('{') || position === undefined) return paragraph
  const first = position.start.line
  const taken = linesWithin(children)
  const dropped = new Set<number>()
  const lines = written.split('\n')
  for (const [index, text] of lines.entries()) {
    const mayBe = readOwn === undefined || (index > 0 && index === lines.length - 1)
    const attributes = mayBe && !taken.has(first + index) ? attributesIn(text, readOwn) : undefined
    if (attributes === undefined) continue
    dropped.add(first + index)
    name(index === 0 ? before : paragraph, attributes)
  }
  if (dropped.size === 0) return paragraph
  const rest: TreeNode[] = []
  for (const child of children) {
    const outside = outsideOf(dropped, child, rest.at(-1))
    if (outside !== undefined) rest.push(outside)
  }
  while (rest.at(-1)?.type === 'break') rest.pop()
  return rest.length === 0 ? undefined : { ...paragraph, children: rest }
}

/** Ignores quote markers and the indentation of list items. */
function attributesIn(line: string, read: ReadAttributes = readAttributes): Attributes | undefined {
  return read(line.replace(/^[\s>]+/, ''))
}

/** Returns the lines within longer constructs, such as code. */
function linesWithin(children: readonly TreeNode[]): ReadonlySet<number> {
  const lines = new Set<number>()
  for (const { type, position } of children) {
    const isLonger = position !== undefined && position.start.line < position.end.line
    if (!isLonger || type === 'text' || type === 'break') continue
    for (let line = position.start.line; line <= position.end.line; line++) lines.add(line)
  }
  return lines
}

function outsideOf(
  dropped: ReadonlySet<number>,
  child: TreeNode,
  before: TreeNode | undefined,
): TreeNode | undefined {
  const start = child.position?.start.line ?? 0
  if (child.type !== 'text') return dropped.has(start) ? undefined : child
  const lines = (child.value ?? '').split('\n')
  const rest = lines.filter((_, index) => !dropped.has(start + index))
  if (rest.length === lines.length) return child
  const value = rest.join('\n')
  if (value === '') return undefined
  // The preceding line feed belongs to the removed text.
  const isBehind = dropped.has(start) && before !== undefined && before.type !== 'break'
  return { ...child, value: isBehind ? `\n${value}` : value }
}

function name(block: TreeNode | undefined, { id }: Attributes): void {
  if (block === undefined || id === undefined) return
  const properties = block.data?.['hProperties']
  block.data = { ...block.data, hProperties: { ...(properties as object | undefined), id } }
}

// A definition list is a term followed by lines that start with a colon. Markdown parsers see paragraphs, and code
// where a definition continues.

/** Converts the paragraphs of definition lists among `children` to lists. */
export function defineTerms(children: readonly TreeNode[]): TreeNode[] {
  const made: TreeNode[] = []
  for (const child of children) {
    const entries = entriesOf(child, made.at(-1))
    if (entries === undefined) made.push(child)
    else {
      if (entries.usesTerm) made.pop()
      append(made, entries.nodes, child)
    }
  }
  return made
}

function entriesOf(node: TreeNode, before: TreeNode | undefined) {
  if (node.type !== 'paragraph') return undefined
  const lines = linesOf(node)
  const first = lines.findIndex(isDefinition)
  if (first === -1) return undefined
  if (first > 0) return { nodes: itemsOf(lines), usesTerm: false }
  if (isList(before)) return { nodes: itemsOf(lines), usesTerm: false }
  if (before?.type !== 'paragraph') return undefined
  const terms = linesOf(before).map((line) => inlineElement('dt', {}, { children: line }))
  return { nodes: [...terms, ...itemsOf(lines)], usesTerm: true }
}

function append(made: TreeNode[], nodes: TreeNode[], { position }: TreeNode): void {
  const last = made.at(-1)
  if (last !== undefined && isList(last)) appendAll((last.children ??= []), nodes)
  else made.push(blockElement('dl', {}, { children: nodes, position }))
}

function isList(node: TreeNode | undefined): boolean {
  return node?.data?.['hName'] === 'dl'
}

/** Splits the content of a paragraph into lines. */
function linesOf({ children = [] }: TreeNode): TreeNode[][] {
  const lines: TreeNode[][] = [[]]
  for (const child of children) {
    if (child.type !== 'text') lines.at(-1)?.push(child)
    else {
      const [first = '', ...rest] = (child.value ?? '').split('\n')
      if (first !== '') lines.at(-1)?.push({ ...child, value: first })
      for (const value of rest) lines.push(value === '' ? [] : [{ ...child, value }])
    }
  }
  return lines.filter((line) => !line.every(isBlank))
}

const COLON = /^:[ \t]+/

function isDefinition([first]: readonly TreeNode[]): boolean {
  return first?.type === 'text' && COLON.test(first.value ?? '')
}

/** A line without a colon continues the previous definition; before the first definition, it is a term. */
function itemsOf(lines: readonly TreeNode[][]): TreeNode[] {
  const items: TreeNode[] = []
  for (const line of lines) {
    const last = items.at(-1)
    const [first, ...rest] = line
    if (isDefinition(line) && first !== undefined) {
      const words = [{ ...first, value: first.value?.replace(COLON, '') ?? '' }, ...rest]
      items.push(inlineElement('dd', {}, { children: words }))
    } else if (last?.data?.['hName'] === 'dd') {
      last.children?.push({ type: 'text', value: '\n' }, ...line)
    } else items.push(inlineElement('dt', {}, { children: line }))
  }
  return items.map(withoutAttributes)
}

/** Removes the attributes of `term {#id}`. */
function withoutAttributes(item: TreeNode): TreeNode {
  const last = item.children?.at(-1)
  const match = last?.type === 'text' ? /(?<![ \t])[ \t]*\{#([\w.-]+)\}\s*$/.exec(last.value ?? '') : null
  if (last === undefined || match === null) return item
  last.value = match.input.slice(0, match.index)
  return { ...item, data: { ...item.data, hProperties: { id: match[1] } } }
}

// A sign after the bracket tells whether readers can fold the alert.
const MARK = /^\[!([A-Za-z][\w-]*)(?:\|[^\]\n]*)?\][+-]?[ \t]*/

/** Converts a quote that starts with `[!WORD] Title`, for any word, to an alert. Leaves other quotes unchanged. */
export function quoteAlert(quote: TreeNode): TreeNode {
  const [paragraph, ...blocks] = quote.children ?? []
  const [first, ...words] = (paragraph?.type === 'paragraph' ? paragraph.children : undefined) ?? []
  const match = first?.type === 'text' ? MARK.exec(first.value ?? '') : null
  if (first === undefined || match === null) return quote
  const [mark, word = ''] = match
  const { line, rest } = splitLine([{ ...first, value: match.input.slice(mark.length) }, ...words])
  const kind = word.toLowerCase()
  const text = rest.every(isBlank) ? [] : [{ ...paragraph, type: 'paragraph', children: rest }]
  const title = line.every(isBlank) ? [] : line
  return alertNode(isAlertName(kind) ? kind : word, title, { ...quote, children: [...text, ...blocks] })
}

/** Splits a paragraph into its first line and the rest. */
function splitLine(children: readonly TreeNode[]): { readonly line: TreeNode[]; readonly rest: TreeNode[] } {
  const isEnd = (child: TreeNode) =>
    child.type === 'break' || (child.type === 'text' && breakIn(child) !== -1)
  const index = children.findIndex(isEnd)
  const end = children[index]
  if (end === undefined) return { line: [...children], rest: [] }
  const [before, behind] = [children.slice(0, index), children.slice(index + 1)]
  if (end.type === 'break') return { line: before, rest: behind }
  const { value = '' } = end
  return {
    line: [...before, { ...end, value: value.slice(0, breakIn(end)).trimEnd() }],
    rest: [{ ...end, value: value.slice(breakIn(end) + 1) }, ...behind],
  }
}

function breakIn({ value = '' }: TreeNode): number {
  return value.indexOf('\n')
}
