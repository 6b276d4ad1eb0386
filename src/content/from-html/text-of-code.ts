import type { Element } from 'hast'
import { isInline } from './stand-ins.ts'

/** Returns the text of an element with significant white space. */
export function textOfCode(element: Element): string {
  return appendText(element, '')
}

function appendText(element: Element, before: string): string {
  return element.children.reduce((text, child) => {
    if (child.type === 'text') return text + child.value
    if (child.type !== 'element') return text
    if (child.tagName === 'br') return `${text}\n`
    // Some highlighters make each line a block.
    return isInline(child) ? appendText(child, text) : endLine(appendText(child, endLine(text)))
  }, before)
}

export function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
