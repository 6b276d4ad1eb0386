import { alertNode, isAlertName } from '../alert-node.ts'
import { isBlank, type TreeNode } from '../tree-node.ts'

// A sign says whether readers may fold it.
const MARK = /^\[!([A-Za-z][\w-]*)\][+-]?[ \t]*/

/** A quote that begins with `[!WORD] Title` as an alert, for Hugo takes any word; others as they are. */
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

/** The first line of a paragraph, and what follows it. */
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
