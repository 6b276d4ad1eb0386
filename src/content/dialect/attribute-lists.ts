// Attribute lists: `{#id .class}`.
import type { SourceRanges } from '../markdown/source-ranges.ts'
import type { TreeNode } from './tree-node.ts'

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
    const shown = block.type === 'paragraph' ? withoutLines(block, before, ranges, readOwn) : block
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
  before: TreeNode | undefined,
  ranges: SourceRanges,
  readOwn: ReadAttributes | undefined,
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

function outsideOf(dropped: ReadonlySet<number>, child: TreeNode, before: TreeNode | undefined) {
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
