import type { Element, ElementContent, Root } from 'hast'
import type { RootContent } from 'mdast'
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'
import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'
import { splitLines } from '../../core/dialects/text-lines.ts'
import { GAP_TAG, isInline } from '../../content/from-html/stand-ins.ts'

/** A block at the top level of a Markdown body. */
export interface SourceBlock {
  readonly node: RootContent
  /** Offset of its first line. */
  readonly from: number
  /** Offset after its last character. */
  readonly to: number
}

/** Returns the blocks of `body` in order, including definitions and comments. A construct of a dialect is one block. */
export function findBlocks(body: string, preset: PresetName | undefined): SourceBlock[] {
  const tree = remark().use(remarkGfm).parse(body)
  const blocks = tree.children.flatMap((node) => {
    const { start, end } = node.position ?? {}
    if (start?.offset === undefined || end?.offset === undefined) return []
    return [{ node, from: body.lastIndexOf('\n', start.offset - 1) + 1, to: end.offset }]
  })
  const findRanges = preset === undefined ? undefined : dialectOf(preset).text.lineRanges
  return findRanges === undefined
    ? blocks
    : joinRanges(blocks, findRanges(splitLines(body.replaceAll('\r\n', '\n'), false)))
}

/** @param ranges line numbers, in order */
function joinRanges(
  blocks: readonly SourceBlock[],
  ranges: readonly { readonly first: number; readonly last: number }[],
): SourceBlock[] {
  const joined: SourceBlock[] = []
  let [at, end] = [0, 0]
  for (const block of blocks) {
    const [first, last] = [block.node.position?.start.line ?? 0, block.node.position?.end.line ?? 0]
    const before = joined.at(-1)
    if (before !== undefined && first <= end) joined[joined.length - 1] = { ...before, to: block.to }
    else joined.push(block)
    for (let range = ranges[at]; range !== undefined && range.first < last; range = ranges[++at])
      end = Math.max(end, range.last + 1)
  }
  return joined
}

/**
 * Inserts a paragraph with one word between the blocks of `body`, so that the rendered nodes between two words come
 * from one block. The words change nothing else, because blocks end there anyway. Blocks before number `from` count as
 * one, so that a heading that repeats the title stays the first one.
 */
export function separateBlocks(
  body: string,
  blocks: readonly SourceBlock[],
  { word, from }: { readonly word: string; readonly from: number },
): string {
  let separated = ''
  let at = 0
  blocks.forEach((block, index) => {
    if (index > 0 && index >= from) separated += `${body.slice(at, block.from)}\n\n${word}${index}x\n\n`
    else separated += body.slice(at, block.from)
    separated += body.slice(block.from, block.to)
    at = block.to
  })
  return separated + body.slice(at)
}

/** The nodes of source blocks `first` to `last`, which form complete elements only together. */
export interface RenderedGroup {
  readonly first: number
  readonly last: number
  readonly nodes: readonly ElementContent[]
}

/**
 * Assigns the top-level nodes of a rendered `separateBlocks` to their blocks.
 *
 * @param tree without the words inside other elements
 */
export function groupNodes(tree: Root, blocks: readonly SourceBlock[], word: string): RenderedGroup[] {
  const groups: RenderedGroup[] = []
  let first = 0
  let nodes: ElementContent[] = []
  for (const child of tree.children as ElementContent[]) {
    const mark = markOf(child, word)
    if (mark === undefined) nodes.push(child)
    else if (mark > first && !(nodes.every(isSpace) && opensTable(blocks[first]))) {
      groups.push({ first, last: mark - 1, nodes })
      first = mark
      nodes = []
    }
  }
  if (first < blocks.length) groups.push({ first, last: blocks.length - 1, nodes })
  return groups
}

export function isSpace(node: ElementContent): boolean {
  return node.type === 'text' && node.value.trim() === ''
}

function opensTable(block: SourceBlock | undefined): boolean {
  return block?.node.type === 'html' && /^\s*<table[\s>]/i.test(block.node.value)
}

function markOf(node: ElementContent, word: string): number | undefined {
  if (node.type !== 'element' || node.tagName !== 'p' || node.children.length !== 1) return undefined
  const [text] = node.children
  if (text?.type !== 'text' || !text.value.startsWith(word)) return undefined
  return Number.parseInt(text.value.slice(word.length), 10)
}

/** Removes, in place, the words inside other elements, where they separate nothing. */
export function dropInnerMarks(tree: Root, word: string): void {
  for (const child of tree.children) if (child.type === 'element') dropMarks(child, word)
}

function dropMarks(parent: Element, word: string): void {
  parent.children = parent.children.filter((child) => markOf(child, word) === undefined)
  for (const child of parent.children) if (child.type === 'element') dropMarks(child, word)
}

/** Returns the blocks of a list of nodes: unwraps plain `div`s of editors, and puts loose text into paragraphs. */
export function topNodes(nodes: readonly ElementContent[]): Element[] {
  const blocks: Element[] = []
  let loose: ElementContent[] = []
  const close = (): void => {
    if (loose.some((node) => node.type !== 'text' || node.value.trim() !== ''))
      blocks.push({ type: 'element', tagName: 'p', properties: {}, children: loose })
    loose = []
  }
  for (const node of nodes) {
    if (node.type !== 'element' || isInline(node)) loose.push(node)
    else {
      close()
      if (isPlainWrapper(node)) blocks.push(...topNodes(node.children))
      else if (node.tagName !== GAP_TAG) blocks.push(node)
    }
  }
  close()
  return blocks
}

function isPlainWrapper({ tagName, properties }: Element): boolean {
  const isWrapper = tagName === 'div' || tagName === 'section'
  return (
    isWrapper &&
    properties['className'] === undefined &&
    !['center', 'right'].includes(String(properties['align']))
  )
}

// Elements that a service may remove without removing their content.
const HOLDERS = new Set(['div', 'section', 'details', 'center'])

/** Returns the smallest blocks to compare: alerts, details and similar elements are replaced by their content. */
export function unitsOf(block: Element): Element[] {
  if (!HOLDERS.has(block.tagName)) return [block]
  const inner = topNodes(block.children).flatMap(unitsOf)
  return inner.length === 0 ? [block] : inner
}
