import type { Element, Parents } from 'hast'
import { INLINE_TAGS } from '../../model/projection.ts'

/**
 * Whether a parser makes of this tree's HTML the same tree again, by a rule that holds for ordinary documents: inline
 * elements, paragraphs and headings hold inline elements only, and no link stands in a link.
 */
export function isWellNested(parent: Parents, inLink = false): boolean {
  const onlyInline = parent.type === 'element' && holdsOnlyInline(parent)
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const isLink = child.tagName === 'a'
    if (isLink && inLink) return false
    if (onlyInline && !INLINE_TAGS.has(child.tagName)) return false
    if (!isWellNested(child, inLink || isLink)) return false
  }
  return true
}

function holdsOnlyInline({ tagName }: Element): boolean {
  return tagName === 'p' || INLINE_TAGS.has(tagName) || /^h[1-6]$/.test(tagName)
}
