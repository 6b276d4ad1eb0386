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
  const walk: Walk = { parts: [], targets: [], seen: 0, shownMarks: '' }
  projectNode(root, walk, UNMARKED)
  // Single spaces, by far the most frequent case, are skipped.
  const text = walk.parts.join('').replaceAll(/\s{2,}|[^\S ]/g, ' ')
  return { textHash: digest(text.trim()), targets: walk.targets }
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
  /** The text so far, in pieces. */
  readonly parts: string[]
  readonly targets: string[]
  /** Number of pieces with content. */
  seen: number
  /** Marks of the last visible character. */
  shownMarks: string
}

/** The marks around a node. In `pre`, only text and line breaks count. */
interface Marks {
  readonly names: readonly string[]
  readonly isInPre: boolean
  readonly written: string
}

const UNMARKED: Marks = { names: [], isInPre: false, written: '' }

function withMark(name: string, marks: Marks): Marks {
  if (!MARKS.has(name) || marks.names.includes(name)) return marks
  const names = [...marks.names, name].toSorted()
  const isInPre = marks.isInPre || name === 'pre'
  return { names, isInPre, written: isInPre ? '' : names.join(' ') }
}

function projectNode(node: Nodes, walk: Walk, marks: Marks): void {
  if (node.type === 'text') projectText(node.value, walk, marks)
  else if (node.type === 'root') for (const child of node.children) projectNode(child, walk, marks)
  else if (node.type === 'element' && !UNSEEN.has(node.tagName)) projectElement(node, walk, marks)
}

function projectElement(element: Element, walk: Walk, marks: Marks): void {
  const target = targetOf(element)
  if (typeof target === 'string') walk.targets.push(target)
  const name = SAME[element.tagName] ?? element.tagName
  const inner = withMark(name, marks)
  const { parts, seen } = walk
  // Replaced by what precedes the text.
  const start = parts.push('') - 1
  for (const child of element.children) projectNode(child, walk, inner)
  if (marks.isInPre) {
    if (name === 'br') parts.push('\n')
    return
  }
  const isEmpty = walk.seen === seen
  const shown = shownInstead(name, element, isEmpty ? undefined : parts, start)
  if (shown !== undefined) {
    parts.length = start
    parts.push(shown)
    if (shown !== ' ') walk.seen++
  } else if (name === 'td' || BLOCKS.has(name)) {
    parts[start] = ` \u0001${name} `
    parts.push(` \u0001/${name} `)
  } else if (!INLINE_TAGS.has(name)) {
    parts[start] = ' '
    parts.push(' ')
  }
}

/**
 * Returns what stands for the text of an element; undefined if that is in the projection.
 *
 * @param parts its pieces, from `start` on; undefined if it has no content: services add empty items, and Markdown adds a
 *   head to tables without one
 */
function shownInstead(
  name: string,
  { properties }: Element,
  parts: readonly string[] | undefined,
  start: number,
): string | undefined {
  if (name === 'hr') return ' \u0001hr '
  if (name === 'img')
    return `\u0001img ${typeof properties['alt'] === 'string' ? properties['alt'] : ''}\u0001/img`
  if (name === 'input') return properties['checked'] === true ? '\u0001checked' : '\u0001unchecked'
  if (parts === undefined) return name === 'pre' || BLOCKS.has(name) ? ' ' : undefined
  return name === 'pre' ? ` \u0001pre ${keepSpaces(parts.slice(start).join(''))} \u0001/pre ` : undefined
}

/**
 * Writes the start and end of marks before the next visible character. Thus it does not matter how marks are nested or
 * split, whether they surround blocks or are inside each, and on which side of them white space is.
 */
function projectText(text: string, walk: Walk, { written }: Marks): void {
  const start = text.search(/\S/)
  if (start !== -1) walk.seen++
  if (start === -1 || written === walk.shownMarks) {
    walk.parts.push(text)
    return
  }
  walk.shownMarks = written
  walk.parts.push(text.slice(0, start), `\u0001(${written})`, text.slice(start))
}

/** Preserves white space as other characters. White space at the end of the block is invisible. */
function keepSpaces(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd()
  // A text in the place of the pattern takes several times as long.
  return lines.replaceAll(/ /g, '\u0002').replaceAll(/\n/g, '\u0003').replaceAll(/\t/g, '\u0004')
}

/** Blocks that a reader can tell apart by more than their text. */
const BLOCKS: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6 ul ol li blockquote tr dl dt dd'.split(' '))

/** Names of equivalent elements. */
const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del', th: 'td' }

const MARKS: ReadonlySet<string> = new Set(['strong', 'em', 'del', 'code', 'pre'])

function targetOf(element: Element): unknown {
  if (element.tagName === 'a') return element.properties['href']
  return element.tagName === 'img' ? element.properties['src'] : undefined
}
