import { alertNode, detailsNode, isAlertName } from './alert-node.ts'
import type { Conversion } from './conversion.ts'
import { paragraphOf, textNode, type TreeNode } from './tree-node.ts'

/** What says nothing of its content but how a page treats it. */
const TRANSPARENT = new Set(['code-group', 'raw', 'v-pre', 'div'])

/** A container as blocks of Markdown; its children are converted already. */
export function convertContainer(node: TreeNode, { dialect, places, problems }: Conversion): TreeNode[] {
  const name = node.name ?? ''
  const { title, children } = partsOf(node)
  const body = { ...node, children }
  if (isAlertName(name)) return [alertNode(name, title, body)]
  if (name === 'details') return [detailsNode(title, isOpen(node), body)]
  const isKnown = dialect === 'vitepress' && TRANSPARENT.has(name)
  if (!isKnown) {
    const { line, column } = places.of(node)
    problems.push({
      code: 'component-removed',
      ...places.within(node, 0, endOfLine(places.textOf(node))),
      line,
      column,
      message: `The container ":::${name}" is not known, so only what stands in it is kept.`,
      hint: 'Known are details, note, tip, info, important, warning, caution and danger.',
    })
  }
  return title.length > 0 && !isKnown ? [paragraphOf(title), ...children] : children
}

function endOfLine(text: string): number {
  const at = text.indexOf('\n')
  return at === -1 ? text.length : at
}

function partsOf({ children = [] }: TreeNode): { title: TreeNode[]; children: TreeNode[] } {
  const [first, ...rest] = children
  if (first?.data?.['directiveLabel'] !== true) return { title: [], children }
  return { title: first.children ?? [], children: rest }
}

function isOpen({ attributes }: TreeNode): boolean {
  return attributes !== undefined && !Array.isArray(attributes) && 'open' in attributes
}

/** Within a line a colon is a colon: only containers are directives here. */
export function convertTextDirective(node: TreeNode): TreeNode[] {
  return [textNode(`:${node.name ?? ''}`, node.position)]
}
