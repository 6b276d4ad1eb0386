import type { Element, Nodes } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { digest, digestParts } from '../digest.ts'

// What a reader would notice of an article: text, targets of links and images, and the structure that Markdown can
// express (headings, lists, quotes, rules, table cells, check boxes, emphasis, code). A service may rewrite everything
// else (quotes, entities, attribute order, classes, white space between blocks, comments, paragraph wrapping), so such
// changes are not edits. In `pre`, white space is part of the text.

interface Projection {
  /** Digest of text and structure, with white space collapsed. */
  readonly textHash: string
  /** `href` of every link and `src` of every image, in order. */
  readonly targets: readonly string[]
}

/** Inline elements. All others are blocks. */
export const INLINE_TAGS: ReadonlySet<string> = new Set(
  (
    'a abbr b bdi bdo cite code data del dfn em font i img input ins kbd label mark picture q rp rt ruby s samp ' +
    'small source span strike strong sub sup time tt u var wbr'
  ).split(' '),
)

const UNSEEN = new Set(['script', 'style', 'template', 'head', 'title'])

/** Returns the projection of a tree. It is the same for a generated tree and for the tree parsed from its HTML. */
export function projectHast(root: Nodes): Projection {
  const targets: string[] = []
  const text = projectNode(root, { targets, shownMarks: '' }, [])
  // Single spaces, by far the most frequent case, are skipped.
  return { textHash: digest(text.replace(/\s{2,}|[^\S ]/g, ' ').trim()), targets }
}

/** Returns the projection of HTML as returned by a service. */
export function projectHtml(html: string): Projection {
  return projectHast(fromHtml(html, { fragment: true }))
}

/** Hashes text and targets. The result is stored in the marker and compared with the HTML on the target. */
export function hashProjection(textHash: string, targets: readonly string[]): string {
  return digestParts([textHash, ...targets.map((target) => target.trim())])
}

interface Walk {
  readonly targets: string[]
  /** Marks of the last visible character. */
  shownMarks: string
}

/** @param marks names of the marks around this node, and `pre` inside it */
function projectNode(node: Nodes, walk: Walk, marks: readonly string[]): string {
  if (node.type === 'text') return projectText(node.value, walk, marks)
  if (node.type === 'root') return projectChildren(node.children, walk, marks)
  if (node.type !== 'element' || UNSEEN.has(node.tagName)) return ''
  const target = targetOf(node)
  if (typeof target === 'string') walk.targets.push(target)
  const name = SAME[node.tagName] ?? node.tagName
  const inner = MARKS.has(name) && !marks.includes(name) ? [...marks, name].toSorted() : marks
  const text = projectChildren(node.children, walk, inner)
  // In `pre`, only text and line breaks count.
  if (marks.includes('pre')) return name === 'br' ? '\n' : text
  return formOf(name, node, text)
}

function projectChildren(children: readonly Nodes[], walk: Walk, marks: readonly string[]): string {
  let text = ''
  for (const child of children) text += projectNode(child, walk, marks)
  return text
}

/**
 * Writes the start and end of marks before the next visible character. Thus it does not matter how marks are nested or
 * split, whether they surround blocks or are inside each, and on which side of them white space is.
 */
function projectText(text: string, walk: Walk, marks: readonly string[]): string {
  const present = marks.includes('pre') ? '' : marks.join(' ')
  if (present === walk.shownMarks) return text
  const start = text.search(/\S/)
  if (start === -1) return text
  walk.shownMarks = present
  return `${text.slice(0, start)}\u0001(${present})${text.slice(start)}`
}

/** Preserves white space as other characters. White space at the end of the block is invisible. */
function keepSpaces(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd()
  // Replacing so many characters in a text takes three times as long.
  const bytes = Buffer.from(lines)
  for (let index = 0; index < bytes.length; index++) bytes[index] = KEPT[bytes[index] ?? 0] ?? 0
  return bytes.toString()
}

/** What stands for each byte. */
const KEPT = Uint8Array.from({ length: 256 }, (_, byte) => ({ 32: 2, 10: 3, 9: 4 })[byte] ?? byte)

/** Blocks that a reader can tell apart by more than their text. */
const BLOCKS: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6 ul ol li blockquote tr dl dt dd'.split(' '))

/** Names of equivalent elements. */
const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del', th: 'td' }

const MARKS: ReadonlySet<string> = new Set(['strong', 'em', 'del', 'code', 'pre'])

function formOf(name: string, { properties }: Element, text: string): string {
  if (name === 'hr') return ' \u0001hr '
  if (name === 'td') return ` \u0001td ${text} \u0001/td `
  if (name === 'pre') return isEmpty(text) ? ' ' : ` \u0001pre ${keepSpaces(text)} \u0001/pre `
  if (BLOCKS.has(name)) return isEmpty(text) ? ' ' : ` \u0001${name} ${text} \u0001/${name} `
  if (name === 'img')
    return `\u0001img ${typeof properties['alt'] === 'string' ? properties['alt'] : ''}\u0001/img`
  if (name === 'input') return properties['checked'] === true ? '\u0001checked' : '\u0001unchecked'
  return INLINE_TAGS.has(name) ? text : ` ${text} `
}

/** Returns true for text without content. Services add empty items, and Markdown adds a head to tables without one. */
function isEmpty(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /^(?:\s|\u0001\/?td)*$/.test(text)
}

function targetOf(element: Element): unknown {
  if (element.tagName === 'a') return element.properties['href']
  return element.tagName === 'img' ? element.properties['src'] : undefined
}
