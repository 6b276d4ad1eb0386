import type { Element, Nodes as HtmlNodes } from 'hast'
import type { Nodes } from 'mdast'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'
import { LISTED_URL_LIMIT_BYTES } from '../../api/contract/fields.ts'

/** Checks nodes of some types in the text as written. Not called for generated nodes. */
export interface MarkdownRule<Type extends Nodes['type'] = Nodes['type']> {
  readonly types: readonly Type[]
  readonly check: (node: Extract<Nodes, { readonly type: Type }>, ranges: SourceRanges) => readonly Problem[]
}

/** Checks elements that were written as HTML. */
export interface HtmlRule {
  readonly tagName: string
  /** `rangeOf` returns the range of the start tag. Finding it takes time. */
  readonly check: (element: Element, rangeOf: (element: Element) => Span) => readonly Problem[]
}

/** A heading of the article as sent, in text order. */
export interface HeadingRange {
  readonly depth: number
  readonly at: Span
  /** True if it contains only pictures. */
  readonly isPicture: boolean
}

/** Gives a rule the type for the table of all rules, which calls it only with nodes of its types. */
export function defineMarkdownRule<Type extends Nodes['type']>(rule: MarkdownRule<Type>): MarkdownRule {
  return rule as unknown as MarkdownRule
}

/** `![](image.png)`: Markdown cannot mark an image as decorative. */
export const imageAltMissing = defineMarkdownRule({
  types: ['image', 'imageReference'],
  check: (node, ranges) => {
    if ((node.alt ?? '').trim() !== '') return []
    return [
      altMissing(
        ranges.of(node),
        'Describe the image between the brackets. For a decorative image, use <img alt="">.',
      ),
    ]
  },
})

/** `<img>` without `alt`. An empty one marks the image as decorative. */
export const htmlImageAltMissing: HtmlRule = {
  tagName: 'img',
  check: (element, rangeOf) => {
    const { properties } = element
    if (properties['alt'] !== undefined || properties['ariaLabel'] !== undefined) return []
    return [
      altMissing(rangeOf(element), 'Add alt="…" with a description. For a decorative image, use alt="".'),
    ]
  },
}

function altMissing(span: Span, hint: string): Problem {
  const message = 'The image has no alt text.'
  return { code: 'image-alt-missing', ...span, message, hint }
}

/**
 * `[](page.md)`, or a link around an image without text: a screen reader has nothing to read, and often there is
 * nothing to click.
 */
export const linkTextEmpty = defineMarkdownRule({
  types: ['link', 'linkReference'],
  check: (node, ranges) => (node.children.some(saysSomething) ? [] : [linkWithoutText(ranges.of(node))]),
})

/** `<a href="…"></a>`. Without `href`, it is an anchor. */
export const htmlLinkTextEmpty: HtmlRule = {
  tagName: 'a',
  check: (element, rangeOf) => {
    const { href, ariaLabel, title } = element.properties
    if (href === undefined || hasText(ariaLabel) || hasText(title)) return []
    return element.children.some(showsSomething) ? [] : [linkWithoutText(rangeOf(element))]
  },
}

function linkWithoutText(span: Span): Problem {
  const hint = 'Describe where the link leads. If it contains only an image, add alt text to the image.'
  return { code: 'link-text-empty', ...span, message: 'The link has no text.', hint }
}

function saysSomething(node: Nodes): boolean {
  if (node.type === 'image' || node.type === 'imageReference') return hasText(node.alt)
  if (node.type === 'html') return saysSomethingInHtml(node.value)
  if ('value' in node) return hasText(node.value)
  return 'children' in node ? node.children.some(saysSomething) : node.type === 'footnoteReference'
}

/** Of a tag inside a link, only alt text is visible; text between two tags is a separate node. */
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

/** A URL that is empty, or too long for the target's list of links, so that no report can show whether it works. */
export const urlUnusable = defineMarkdownRule({
  types: ['link', 'image', 'definition'],
  check: (node, ranges) => checkUrl(node.url, () => ranges.of(node)),
})

export const htmlUrlUnusable: readonly HtmlRule[] = [['a', 'href'] as const, ['img', 'src'] as const].map(
  ([tagName, attribute]) => ({
    tagName,
    check: (element, rangeOf) => checkUrl(element.properties[attribute], () => rangeOf(element)),
  }),
)

function checkUrl(url: unknown, span: () => Span): Problem[] {
  if (isTooLong(url)) return [tooLongUrl(span())]
  if (url !== '') return []
  const message = 'There is no URL, so this leads nowhere.'
  const hint = 'Add the URL, or the path of a file. Until then, write the text without brackets.'
  return [{ code: 'link-url-missing', ...span(), message, hint }]
}

/** A `data:` URL is not a link. */
function isTooLong(url: unknown): boolean {
  if (typeof url !== 'string' || /^data:/i.test(url)) return false
  return url.length > LISTED_URL_LIMIT_BYTES || Buffer.byteLength(url) > LISTED_URL_LIMIT_BYTES
}

function tooLongUrl(span: Span): Problem {
  return {
    code: 'url-too-long',
    ...span,
    message: 'The URL has more than 8 KB, so the target does not list the link.',
    hint: 'Use a shorter URL: reports do not cover this one.',
  }
}
