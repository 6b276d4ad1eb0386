import type { Element } from 'hast'
import { INLINE_TAGS } from '../../core/model/projection.ts'

// Placeholder elements used while HTML is converted to Markdown. Cleaned HTML never contains them.

/** A footnote with its label in `title`. */
export const NOTE_TAG = 'kb-footnote'
/** A reference to a footnote. It must be an inline element with text; otherwise the spaces around it are removed. */
export const NOTE_REF_TAG = 'output'
/** A boundary between two blocks. */
export const GAP_TAG = 'kb-gap'
/** Wraps an element that is written as HTML. */
export const HTML_TAG = 'kb-html'

export function keptAsHtml(element: Element): Element {
  return { type: 'element', tagName: HTML_TAG, properties: {}, children: [element] }
}

export function isInline({ tagName }: Element): boolean {
  return INLINE_TAGS.has(tagName) || tagName === 'br' || tagName === NOTE_REF_TAG
}
