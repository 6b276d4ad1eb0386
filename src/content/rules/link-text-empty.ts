import type { Nodes as HtmlNodes } from 'hast'
import type { Nodes } from 'mdast'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import { defineMarkdownRule, type HtmlRule } from './rule.ts'

/** `[](page.md)`, or a link around an image without text: nothing to read out, and often nothing to click at. */
export const linkTextEmpty = defineMarkdownRule({
  types: ['link', 'linkReference'],
  check: (node, places) => (node.children.some(saysSomething) ? [] : [problem(places.of(node))]),
})

/** `<a href="…"></a>`; one without `href` is an anchor. */
export const htmlLinkTextEmpty: HtmlRule = {
  tagName: 'a',
  check: (element, placeOf) => {
    const { href, ariaLabel, title } = element.properties
    if (href === undefined || hasText(ariaLabel) || hasText(title)) return []
    return element.children.some(showsSomething) ? [] : [problem(placeOf(element))]
  },
}

function problem(span: Span): Problem {
  const hint = 'Say where it leads; where the link is an image, give that a text.'
  return { code: 'link-text-empty', ...span, message: 'The link has no text.', hint }
}

function saysSomething(node: Nodes): boolean {
  if (node.type === 'image' || node.type === 'imageReference') return hasText(node.alt)
  if (node.type === 'html') return saysSomethingInHtml(node.value)
  if ('value' in node) return hasText(node.value)
  return 'children' in node ? node.children.some(saysSomething) : node.type === 'footnoteReference'
}

/** Of a tag inside a link only an image's text is seen; what stands between two tags is a node of its own. */
function saysSomethingInHtml(html: string): boolean {
  return /\salt\s*=\s*(?:"\s*[^"\s]|'\s*[^'\s]|[^"'\s>])/i.test(html)
}

function showsSomething(node: HtmlNodes): boolean {
  if (node.type === 'text') return hasText(node.value)
  if (node.type !== 'element') return false
  return (
    hasText(node.properties['alt']) ||
    hasText(node.properties['ariaLabel']) ||
    node.children.some(showsSomething)
  )
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
