import type { Nodes, Root } from 'hast'

/** The text of a tree as it stands, without the numbers of footnote references. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element' && node.type !== 'root') return ''
  if (node.type === 'element') {
    if (node.tagName === 'br') return '\n'
    if (node.properties['dataFootnoteRef'] !== undefined) return ''
  }
  let text = ''
  for (const child of node.children) text += textOf(child)
  return text
}

/** `text` on one line: runs of white space become one space, none at the ends. */
export function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The text of the first paragraph at the top level that has one, on one line; '' where there is none. */
export function firstParagraphOf(tree: Root): string {
  for (const child of tree.children) {
    if (child.type !== 'element' || child.tagName !== 'p') continue
    const text = collapseSpace(textOf(child))
    if (text !== '') return text
  }
  return ''
}
