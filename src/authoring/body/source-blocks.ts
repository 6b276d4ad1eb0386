import type { Element, ElementContent, Root } from 'hast'
import type { RootContent } from 'mdast'
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'

/** A block at the top level of a Markdown body. */
export interface SourceBlock {
  readonly node: RootContent
  /** Offset of its first line. */
  readonly from: number
  /** Offset behind its last character. */
  readonly to: number
}

/** The blocks of `body` in order, definitions and comments included. */
export function findBlocks(body: string): SourceBlock[] {
  const tree = remark().use(remarkGfm).parse(body)
  return tree.children.flatMap((node) => {
    const { start, end } = node.position ?? {}
    if (start?.offset === undefined || end?.offset === undefined) return []
    return [{ node, from: body.lastIndexOf('\n', start.offset - 1) + 1, to: end.offset }]
  })
}

/**
 * `body` with a paragraph of one word between all blocks: what is rendered between two of these words comes from
 * one block. They change nothing else, for they stand where a block has ended anyway. Blocks before
 * number `from` are one: a heading that repeats the title must stay the first that is seen.
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

/** The nodes that come from source blocks `first` to `last`, which only together make whole elements. */
export interface RenderedGroup {
  readonly first: number
  readonly last: number
  readonly nodes: readonly ElementContent[]
}

/**
 * Sorts what stands at the top level of a rendered `separateBlocks` by the blocks it comes from.
 *
 * @param tree without the words that stand inside of other elements
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

function isSpace(node: ElementContent): boolean {
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

/** Takes out, in place, the words that stand inside of other elements: there they part nothing. */
export function dropInnerMarks(tree: Root, word: string): void {
  for (const child of tree.children) if (child.type === 'element') dropMarks(child, word)
}

function dropMarks(parent: Element, word: string): void {
  parent.children = parent.children.filter((child) => markOf(child, word) === undefined)
  for (const child of parent.children) if (child.type === 'element') dropMarks(child, word)
}
