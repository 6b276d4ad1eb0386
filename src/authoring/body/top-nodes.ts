import type { Element, ElementContent } from 'hast'
import { GAP_TAG, isInline } from '../../content/from-html/stand-ins.ts'

/** The blocks of a list of nodes: what an editor wrapped in plain `div`s comes out, loose text becomes a paragraph. */
export function topNodes(nodes: readonly ElementContent[]): Element[] {
  const blocks: Element[] = []
  let loose: ElementContent[] = []
  const close = (): void => {
    if (loose.some((node) => node.type !== 'text' || node.value.trim() !== ''))
      blocks.push({ type: 'element', tagName: 'p', properties: {}, children: loose })
    loose = []
  }
  for (const node of nodes) {
    if (node.type !== 'element' || isInline(node)) loose.push(node)
    else {
      close()
      if (isPlainWrapper(node)) blocks.push(...topNodes(node.children))
      else if (node.tagName !== GAP_TAG) blocks.push(node)
    }
  }
  close()
  return blocks
}

function isPlainWrapper({ tagName, properties }: Element): boolean {
  const isWrapper = tagName === 'div' || tagName === 'section'
  return (
    isWrapper &&
    properties['className'] === undefined &&
    !['center', 'right'].includes(String(properties['align']))
  )
}

// What a service may take away, leaving the content.
const HOLDERS = new Set(['div', 'section', 'details', 'center'])

/** The smallest blocks that are compared: alerts, details and the like count by what is in them. */
export function unitsOf(block: Element): Element[] {
  if (!HOLDERS.has(block.tagName)) return [block]
  const inner = topNodes(block.children).flatMap(unitsOf)
  return inner.length === 0 ? [block] : inner
}
