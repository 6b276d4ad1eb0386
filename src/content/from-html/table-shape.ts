import type { Element, ElementContent, Parents } from 'hast'
import { isInline, keptAsHtml } from './stand-ins.ts'

const PARTS = new Set(['thead', 'tbody', 'tfoot', 'tr', 'th', 'td'])

/**
 * Returns true if Markdown can represent this table: at most one heading row, and the same number of cells in each row,
 * without spans.
 */
function isPlainTable(table: Element): boolean {
  const rows = rowsOf(table)
  return (
    isPlainPart(table) &&
    rows.length > 0 &&
    rows.every((row, index) => index === 0 || !hasHeading(row, rows[0])) &&
    new Set(rows.map(countCells)).size === 1
  )
}

function isPlainPart(parent: Element): boolean {
  return parent.children.every((child) => {
    if (child.type === 'text') return child.value.trim() === ''
    if (child.type !== 'element' || !PARTS.has(child.tagName)) return false
    return child.tagName === 'td' || child.tagName === 'th' ? isPlainCell(child) : isPlainPart(child)
  })
}

function isPlainCell({ properties, children }: Element): boolean {
  const { colSpan, rowSpan } = properties
  const isWide = [colSpan, rowSpan].some((span) => span !== undefined && Number(span) !== 1)
  return !isWide && children.every((child) => child.type !== 'element' || isInlineWhole(child))
}

function isInlineWhole(element: Element): boolean {
  return (
    isInline(element) && element.children.every((child) => child.type !== 'element' || isInlineWhole(child))
  )
}

function hasHeading(row: Element, first: Element | undefined): boolean {
  return row !== first && row.children.some((cell) => cell.type === 'element' && cell.tagName === 'th')
}

function countCells({ children }: Element): number {
  return children.filter(({ type }) => type === 'element').length
}

function rowsOf(parent: Parents): Element[] {
  return parent.children.flatMap((child): Element[] => {
    if (child.type !== 'element') return []
    return child.tagName === 'tr' ? [child] : rowsOf(child)
  })
}

const BLOCKS = new Set(['p', 'div'])

/** Converts paragraphs in cells to lines, and marks tables that Markdown cannot represent, in place. */
export function shapeTables(parent: Parents): void {
  parent.children = (parent.children as ElementContent[]).map((child) => {
    if (child.type !== 'element') return child
    shapeTables(child)
    if (child.tagName === 'td' || child.tagName === 'th') child.children = linesOf(child.children)
    return child.tagName === 'table' && !isPlainTable(child) ? keptAsHtml(child) : child
  })
}

function linesOf(children: readonly ElementContent[]): ElementContent[] {
  const solid = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  if (
    !solid.some(isBlock) ||
    !solid.every((child) => isBlock(child) || child.type === 'text' || isPhrase(child))
  )
    return [...children]
  return solid.flatMap((child, index) => {
    const inner = isBlock(child) ? child.children : [child]
    const isApart = index > 0 && (isBlock(child) || isBlock(solid[index - 1] as ElementContent))
    return isApart ? [{ type: 'element', tagName: 'br', properties: {}, children: [] }, ...inner] : inner
  })
}

function isBlock(node: ElementContent): node is Element {
  return node.type === 'element' && BLOCKS.has(node.tagName)
}

function isPhrase(node: ElementContent): boolean {
  return node.type === 'element' && isInlineWhole(node)
}
