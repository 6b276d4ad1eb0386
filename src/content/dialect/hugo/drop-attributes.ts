// Attributes on a line of their own belong to the block before it. Parsers of plain Markdown see the last line of a
// paragraph there, or the last row of a table.
import type { SourcePlaces } from '../../markdown/source-places.ts'
import type { TreeNode } from '../tree-node.ts'
import { type Attributes, readAttributes } from './read-attributes.ts'

/** The blocks without such lines; an id goes to the block it was written for. */
export function dropAttributes(blocks: readonly TreeNode[], places: SourcePlaces): TreeNode[] {
  const kept: TreeNode[] = []
  for (const block of blocks) {
    const shown = block.type === 'paragraph' ? withoutLines(block, kept.at(-1), places) : block
    if (shown?.type === 'table') shown.children = withoutRows(shown, places)
    if (shown !== undefined) kept.push(shown)
  }
  return kept
}

function withoutRows(table: TreeNode, places: SourcePlaces): TreeNode[] {
  return (table.children ?? []).filter((row, index) => {
    const attributes = index === 0 ? undefined : attributesIn(places.textOf(row))
    if (attributes !== undefined) name(table, attributes)
    return attributes === undefined
  })
}

/** Undefined: nothing is left. */
function withoutLines(
  paragraph: TreeNode,
  before: TreeNode | undefined,
  places: SourcePlaces,
): TreeNode | undefined {
  const written = places.textOf(paragraph)
  const { children = [], position } = paragraph
  if (!written.includes('{') || position === undefined) return paragraph
  const first = position.start.line
  const taken = linesWithin(children)
  const dropped = new Set<number>()
  for (const [index, text] of written.split('\n').entries()) {
    const attributes = taken.has(first + index) ? undefined : attributesIn(text)
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

/** Without the marks of the quotes and the indent of the items it stands in. */
function attributesIn(line: string): Attributes | undefined {
  return readAttributes(line.replace(/^[\s>]+/, ''))
}

/** The lines that belong to something longer, such as code. */
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
  // The line feed before stood in front of what is gone.
  const isBehind = dropped.has(start) && before !== undefined && before.type !== 'break'
  return { ...child, value: isBehind ? `\n${value}` : value }
}

function name(block: TreeNode | undefined, { id }: Attributes): void {
  if (block === undefined || id === undefined) return
  const properties = block.data?.['hProperties']
  block.data = { ...block.data, hProperties: { ...(properties as object | undefined), id } }
}
