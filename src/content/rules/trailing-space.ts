import type { Nodes } from 'mdast'
import type { Problem, TextChange } from '../../core/model/diagnostic.ts'
import { trailingSpaceProblem } from '../mend/trailing-spaces.ts'
import type { BodyView } from './body-view.ts'

const TRAILING = /[ \t]+$/
const LINE_END = /\r\n|\n|\r/
/** Raw HTML in which white space shows. */
const OPENS = /<(pre|textarea)\b/i
const CLOSES = /<\/(pre|textarea)\s*>/i

/**
 * White space at ends of lines that says nothing: two spaces that break a line, and all that stands in code and raw
 * HTML, stay.
 */
export function trailingSpace({
  mdast,
  body,
  places,
}: Pick<BodyView, 'mdast' | 'body' | 'places'>): Problem[] {
  if (!/[ \t](?:[\r\n]|$)/.test(body)) return []
  let held: ReadonlySet<number> | undefined
  const changes: TextChange[] = []
  for (const [index, text] of body.split(LINE_END).entries()) {
    const line = index + 1
    const column = text.search(TRAILING) + 1
    if (column === 0 || !isFree(text, line)) continue
    held ??= heldLines(mdast)
    if (held.has(line)) continue
    const end = { line, column: text.length + 1 }
    const place = places.of({ position: { start: { line, column }, end } })
    if (place.source === undefined && place.end !== undefined) {
      changes.push({ start: { line: place.line, column: place.column }, end: place.end, text: '' })
    }
  }
  return trailingSpaceProblem(changes)
}

function isFree(text: string, line: number): boolean {
  // Behind a backslash, the space is what keeps it from breaking the line. What stands behind the line that closes the
  // frontmatter is the first line here, and has another place.
  return !/\\[ \t]+$/.test(text) && (line > 1 || text.trim() !== '')
}

/** Lines whose end belongs to something that keeps its white space. */
function heldLines(mdast: Nodes): ReadonlySet<number> {
  const held = new Set<number>()
  const hold = (from: number, to: number) => {
    for (let line = from; line <= to; line++) held.add(line)
  }
  let openedOn: number | undefined
  const visit = (node: Nodes): void => {
    if ('children' in node) for (const child of node.children) visit(child)
    if (!node.position) return
    const { start, end } = node.position
    if (node.type === 'break') hold(start.line, start.line)
    else if (node.type === 'inlineCode') hold(start.line, end.line - 1)
    else if (node.type === 'code') hold(start.line, end.line)
    else if (node.type === 'html') {
      hold(start.line, end.line)
      if (openedOn === undefined && OPENS.test(node.value)) openedOn = start.line
      if (openedOn !== undefined && CLOSES.test(node.value)) {
        hold(openedOn, end.line)
        openedOn = undefined
      }
    }
  }
  visit(mdast)
  if (openedOn !== undefined) hold(openedOn, mdast.position?.end.line ?? openedOn)
  return held
}
