import type { Element, Nodes } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { digest, digestParts } from '../util/digest.ts'

// What a reader would notice: text, heading levels, where links and images point. All else (quotes, entities, order
// of attributes, white space between blocks, comments) may be rewritten by a service and is no edit. In `pre`, white
// space is part of the text.

export interface Projection {
  /** Digest of the text with heading levels, white space collapsed. */
  readonly textHash: string
  /** `href` of every link and `src` of every image, in order. */
  readonly targets: readonly string[]
}

/** Elements that stand within a line; all others begin and end one. */
export const INLINE_TAGS: ReadonlySet<string> = new Set(
  (
    'a abbr b bdi bdo cite code data del dfn em font i img input ins kbd label mark picture q rp rt ruby s samp ' +
    'small source span strike strong sub sup time tt u var wbr'
  ).split(' '),
)

const UNSEEN = new Set(['script', 'style', 'template', 'head', 'title'])
const HEADING = /^h[1-6]$/

/** The projection of a tree. A tree that was made and one that was parsed from its HTML have the same. */
export function projectHast(root: Nodes): Projection {
  const targets: string[] = []
  const text = projectNode(root, targets)
  // Single spaces, the most frequent by far, are left alone.
  return { textHash: digest(text.replace(/\s{2,}|[^\S ]/g, ' ').trim()), targets }
}

/** The projection of HTML as a service returns it. */
export function projectHtml(html: string): Projection {
  return projectHast(fromHtml(html, { fragment: true }))
}

/** One hash over text and targets: what the marker carries and what the remote's HTML is compared with. */
export function hashProjection(textHash: string, targets: readonly string[]): string {
  return digestParts([textHash, ...targets.map((target) => target.trim())])
}

function projectNode(node: Nodes, targets: string[]): string {
  if (node.type === 'text') return node.value
  if (node.type === 'root') return projectChildren(node.children, targets)
  if (node.type !== 'element' || UNSEEN.has(node.tagName)) return ''
  const target = targetOf(node)
  if (typeof target === 'string') targets.push(target)
  const text = projectChildren(node.children, targets)
  if (node.tagName === 'pre') return ` ${keepSpaces(text)} `
  if (INLINE_TAGS.has(node.tagName)) return text
  return HEADING.test(node.tagName) ? ` \u0001${node.tagName} ${text} ` : ` ${text} `
}

/** White space as other characters, which are not collapsed; at the end of the block it is not seen. */
function keepSpaces(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd()
  return lines.replace(/[ \n\t]/g, (space) => SPACES[space] ?? space)
}

const SPACES: Readonly<Record<string, string>> = { ' ': '\u0002', '\n': '\u0003', '\t': '\u0004' }

function projectChildren(children: readonly Nodes[], targets: string[]): string {
  let text = ''
  for (const child of children) text += projectNode(child, targets)
  return text
}

function targetOf(element: Element): unknown {
  if (element.tagName === 'a') return element.properties['href']
  return element.tagName === 'img' ? element.properties['src'] : undefined
}
