import type { Element, Parents } from 'hast'
import { INLINE_TAGS } from '../../core/model/projection.ts'

/**
 * Whether a parser makes of this tree's HTML the same tree again, by a rule that holds for ordinary documents: inline
 * elements, paragraphs and headings hold inline elements only, no link stands in a link, items stand in lists, and
 * tables are made of rows and cells.
 */
export function isWellNested(parent: Parents, inLink = false): boolean {
  const onlyInline = parent.type === 'element' && holdsOnlyInline(parent)
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const isLink = child.tagName === 'a'
    if (isLink && inLink) return false
    if (onlyInline && !INLINE_TAGS.has(child.tagName)) return false
    if (!isAtItsPlace(child, parent)) return false
    if (!isWellNested(child, inLink || isLink)) return false
  }
  return true
}

function holdsOnlyInline({ tagName }: Element): boolean {
  return tagName === 'p' || INLINE_TAGS.has(tagName) || /^h[1-6]$/.test(tagName)
}

const TABLE_PARTS = ['table', 'thead', 'tbody', 'tfoot']

/** Where elements belong that a parser moves out of any other place. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  caption: ['table'],
  colgroup: ['table'],
  col: ['colgroup'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  tr: TABLE_PARTS,
  td: ['tr'],
  th: ['tr'],
}

/** Elements that hold nothing but their own parts. */
const STRICT: ReadonlySet<string> = new Set([...TABLE_PARTS, 'tr', 'colgroup'])

function isAtItsPlace({ tagName }: Element, parent: Parents): boolean {
  const place = parent.type === 'element' ? parent.tagName : ''
  const places = PLACES[tagName]
  return places === undefined ? !STRICT.has(place) : places.includes(place)
}
