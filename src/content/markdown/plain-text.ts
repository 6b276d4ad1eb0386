import type { Element, Nodes, Root } from 'hast'

/** Returns the text of a tree without the numbers of footnote references. */
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

/** Puts `text` on one line: collapses each run of white space to one space and trims the ends. */
export function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Returns the text of the first top-level paragraph that is neither empty nor only a URL, such as that of a video, on
 * one line; '' if there is none.
 */
export function firstParagraphOf(tree: Root): string {
  for (const child of tree.children) {
    if (child.type !== 'element' || child.tagName !== 'p') continue
    const text = collapseSpace(textOf(child))
    if (text !== '' && !isUrlAlone(child, text)) return text
  }
  return ''
}

function isUrlAlone({ children: [only, ...others] }: Element, text: string): boolean {
  return others.length === 0 && only?.type === 'element' && only.properties['href'] === text
}
