import type { Nodes, Root } from 'hast'

/** The text of a tree without the numbers of footnote references. */
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

/** `text` on one line: each run of white space becomes one space, and the ends are trimmed. */
export function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The text of the first non-empty top-level paragraph, on one line; '' if there is none. */
export function firstParagraphOf(tree: Root): string {
  for (const child of tree.children) {
    if (child.type !== 'element' || child.tagName !== 'p') continue
    const text = collapseSpace(textOf(child))
    if (text !== '') return text
  }
  return ''
}
