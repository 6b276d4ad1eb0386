import { blockElement, paragraphOf, textNode, type TreeNode } from './tree-node.ts'

/** GitHub's alerts, which every theme of ours knows, by the names that the tools have for theirs. */
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

export function isAlertName(name: string): boolean {
  return KINDS.has(name)
}

export function alertClassOf(name: string): string {
  return `markdown-alert markdown-alert-${KINDS.get(name) ?? 'note'}`
}

/** An alert as `markAlerts` makes it; without title, its name is one. */
export function alertNode(name: string, title: TreeNode[], body: TreeNode): TreeNode {
  const words = title.length > 0 ? title : [textNode(name.charAt(0).toUpperCase() + name.slice(1))]
  const heading = paragraphOf(words, { hProperties: { className: 'markdown-alert-title' } })
  return blockElement(
    'div',
    { className: alertClassOf(name) },
    { ...body, children: [heading, ...(body.children ?? [])] },
  )
}

/** What a reader opens. */
export function detailsNode(title: TreeNode[], isOpen: boolean, body: TreeNode): TreeNode {
  const words = title.length > 0 ? title : [textNode('Details')]
  const summary = paragraphOf(words, { hName: 'summary' })
  return blockElement('details', isOpen ? { open: true } : {}, {
    ...body,
    children: [summary, ...(body.children ?? [])],
  })
}
