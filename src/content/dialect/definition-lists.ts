// A definition list is a term followed by lines that start with a colon. Markdown parsers see paragraphs, and code
// where a definition continues.
import { appendAll } from '../../core/append-all.ts'
import { blockElement, inlineElement, isBlank, type TreeNode } from './tree-node.ts'

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
