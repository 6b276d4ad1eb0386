import type { Element } from 'hast'
import { INLINE_TAGS } from '../../core/model/projection.ts'

// Elements that stand for something while HTML becomes Markdown; no HTML has them after it was cleaned.

/** A footnote, its label in `title`. */
export const NOTE_TAG = 'kb-footnote'
/**
 * A reference to a footnote. It must be an element that stands within a line, with text in it, or the spaces around it
 * would count for nothing.
 */
export const NOTE_REF_TAG = 'output'
/** What ends one block and begins another. */
export const GAP_TAG = 'kb-gap'
/** Around an element that is to be written as HTML. */
export const HTML_TAG = 'kb-html'

export function keptAsHtml(element: Element): Element {
  return { type: 'element', tagName: HTML_TAG, properties: {}, children: [element] }
}

/** Whether an element stands within a line. */
export function isInline({ tagName }: Element): boolean {
  return INLINE_TAGS.has(tagName) || tagName === 'br' || tagName === NOTE_REF_TAG
}
