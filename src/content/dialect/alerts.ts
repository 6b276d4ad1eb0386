import { blockElement, isBlank, paragraphOf, textNode, type TreeNode } from './tree-node.ts'

/** GitHub's alerts, which all our themes support, by the names of the tools. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['note', 'note'],
  ['info', 'note'],
  ['secondary', 'note'],
  ['tip', 'tip'],
  ['success', 'tip'],
  ['important', 'important'],
  ['warning', 'warning'],
  ['danger', 'caution'],
  ['caution', 'caution'],
])

/** Other names for them, in quotes. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['default', 'note'],
  ['idea', 'tip'],
  ['warn', 'warning'],
  ['hint', 'tip'],
  ['check', 'tip'],
  ['done', 'tip'],
  ['attention', 'warning'],
  ['failure', 'caution'],
  ['fail', 'caution'],
  ['missing', 'caution'],
  ['error', 'caution'],
  ['bug', 'caution'],
])

export function isAlertName(name: string): boolean {
  return KINDS.has(name)
}

/** Returns true for other names, too. */
export function isAlertWord(name: string): boolean {
  return KINDS.has(name) || OTHER_NAMES.has(name)
}

export function alertClassOf(name: string): string {
  const kind = KINDS.get(name) ?? OTHER_NAMES.get(name.toLowerCase()) ?? 'note'
  return `markdown-alert markdown-alert-${kind}`
}

/** Creates an alert like `markAlerts`. Without a title, its name is used. */
export function alertNode(name: string, title: TreeNode[], body: TreeNode): TreeNode {
  const words = title.length > 0 ? title : [textNode(name.charAt(0).toUpperCase() + name.slice(1))]
  const heading = paragraphOf(words, { hProperties: { className: 'markdown-alert-title' } })
  return blockElement(
    'div',
    { className: alertClassOf(name) },
    { ...body, children: [heading, ...(body.children ?? [])] },
  )
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
