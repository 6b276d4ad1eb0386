import { blockElement, paragraphOf, textNode, type TreeNode } from './tree-node.ts'

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
