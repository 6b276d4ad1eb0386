import type { Element, ElementContent, Parents } from 'hast'
import { isInline, keptAsHtml } from './stand-ins.ts'

const HEADING = /^h[1-6]$/
const LINES = new Set(['p', 'div'])

/**
 * Editors wrap marks around paragraphs and put paragraphs into headings. Marks go inside of the blocks, paragraphs of a
 * heading become its text, in place; a link around blocks and a heading around others stay as they are.
 */
export function liftBlocks(parent: Parents): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== 'element' || child.tagName === 'pre') return [child]
    liftBlocks(child)
    if (!child.children.some(isBlock)) return [child]
    if (HEADING.test(child.tagName)) return [flattenHeading(child)]
    return isInline(child) && child.tagName !== 'a' ? markInside(child, child.children) : [child]
  })
}

function isBlock(node: ElementContent): node is Element {
  // A link around blocks counts as one.
  return node.type === 'element' && (!isInline(node) || (node.tagName === 'a' && node.children.some(isBlock)))
}

function flattenHeading(heading: Element): Element {
  if (!heading.children.every((child) => !isBlock(child) || LINES.has(child.tagName)))
    return keptAsHtml(heading)
  const space: ElementContent = { type: 'text', value: ' ' }
  const children = heading.children.flatMap((child) =>
    isBlock(child) ? [space, ...child.children, space] : [child],
  )
  return flattenAgain({ ...heading, children })
}

function flattenAgain(heading: Element): Element {
  return heading.children.some(isBlock) ? flattenHeading(heading) : heading
}

/** `nodes` with the mark around every run of inline content, however deep. */
function markInside(mark: Element, nodes: readonly ElementContent[]): ElementContent[] {
  const marked: ElementContent[] = []
  let run: ElementContent[] = []
  const close = (): void => {
    const isSpace = run.every((node) => node.type === 'text' && node.value.trim() === '')
    if (run.length > 0) marked.push(...(isSpace ? run : [{ ...mark, children: run }]))
    run = []
  }
  for (const node of nodes) {
    if (!isBlock(node)) run.push(node)
    else {
      close()
      marked.push(node.tagName === 'pre' ? node : { ...node, children: markInside(mark, node.children) })
    }
  }
  close()
  return marked
}
