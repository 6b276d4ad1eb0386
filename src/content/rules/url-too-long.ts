import type { Problem, Span } from '../../core/model/diagnostic.ts'
import { LISTED_URL_LIMIT_BYTES } from '../../api/contract/fields.ts'
import { defineMarkdownRule, type HtmlRule } from './rule.ts'

/** What no list of links shows, so that no report can say whether it works. */
export const urlTooLong = defineMarkdownRule({
  types: ['link', 'image', 'definition'],
  check: (node, places) => (isTooLong(node.url) ? [problem(places.of(node))] : []),
})

export const htmlUrlTooLong: readonly HtmlRule[] = [['a', 'href'] as const, ['img', 'src'] as const].map(
  ([tagName, attribute]) => ({
    tagName,
    check: (element, placeOf) =>
      isTooLong(element.properties[attribute]) ? [problem(placeOf(element))] : [],
  }),
)

/** Data that stands in the text itself is no link. */
function isTooLong(url: unknown): boolean {
  if (typeof url !== 'string' || /^data:/i.test(url)) return false
  return url.length > LISTED_URL_LIMIT_BYTES || Buffer.byteLength(url) > LISTED_URL_LIMIT_BYTES
}

function problem(span: Span): Problem {
  return {
    code: 'url-too-long',
    ...span,
    message: 'The URL has more than 8 KB, so the list of links leaves it out.',
    hint: 'Link to a shorter URL: no report says whether this one works.',
  }
}
