// Most raw HTML in Markdown is so regular that its tags only need to be joined: `<kbd>`, `<br>`, `<details>` around
// Markdown. This takes a fraction of the time of the HTML parser, which handles everything else.
import type { Element, Parents, Properties, Root, RootContent, Text } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import type { Raw } from 'mdast-util-to-hast'
import { defaultTreeAdapter, html } from 'parse5'
import { INLINE_TAGS } from '../../core/model/projection.ts'

const VOID_TAGS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'source', 'wbr'])

const BLOCK_TAGS =
  'p div blockquote details summary center section article aside figure figcaption header footer main nav address ' +
  'br hr ul ol li dl dt dd h1 h2 h3 h4 h5 h6 table thead tbody tfoot tr th td'

/** Tags that a parser always opens and closes as written, in a tree for `isWellNested`. */
const PLAIN_TAGS: ReadonlySet<string> = new Set([...BLOCK_TAGS.split(' '), ...INLINE_TAGS])
// A parser closes these when the next one starts.
const isPlain = (tag: string) => PLAIN_TAGS.has(tag) && tag !== 'rp' && tag !== 'rt'

/** Elements in which a parser accepts no text. */
const TEXTLESS_TAGS: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr'])

/**
 * Returns the tree with the elements of its raw HTML, positioned as by the HTML parser (except texts), if the tree
 * `isWellNested`. Returns undefined if some of the HTML is not plain: a comment, an entity, an unclosed tag.
 */
export function joinTags(tree: Root): Root | undefined {
  const joined: Root = { type: 'root', children: [] }
  return joinChildren(tree, joined, 0) ? joined : undefined
}

/** Beyond this depth, the parser's tree shows which element is nested too deeply. */
const MOST_LEVELS = 250

/** Adds the children of `from` to `to`, which is at `depth` in the tree. Returns false if that is impossible. */
function joinChildren(from: Parents, to: Parents, depth: number): boolean {
  const open = [to]
  const joinChild = (child: RootContent | Raw): boolean => {
    const parent = open.at(-1) ?? to
    if (child.type === 'text') return addText(parent, child)
    if (child.type === 'raw') return joinRaw(child, open)
    const element = child.type === 'element' ? copyElement(child) : undefined
    if (child.type !== 'element' || element === undefined) return false
    parent.children.push(element)
    return depth < MOST_LEVELS && joinChildren(withoutFirstFeed(child), element, depth + open.length)
  }
  return from.children.every(joinChild) && open.length === 1
}

function addText(parent: Parents, text: Text): boolean {
  if (parent.type === 'element' && TEXTLESS_TAGS.has(parent.tagName) && /[^ \t\n\f\r]/.test(text.value))
    return false
  const before = parent.children.at(-1)
  if (before?.type === 'text')
    parent.children.splice(-1, 1, { type: 'text', value: before.value + text.value })
  else if (text.value !== '') parent.children.push(text)
  return true
}

/** Copies an element that comes from Markdown, without its children. */
function copyElement(element: Element): Element | undefined {
  const { tagName, properties, position, children } = element
  // Plugins may omit the children.
  if (!Array.isArray(children)) return undefined
  const kept = isPlain(tagName) || isCode(element) ? copyProperties(properties) : undefined
  return kept && { type: 'element', tagName, properties: kept, children: [], ...(position && { position }) }
}

/** Returns true for a code block with text. */
function isCode({ tagName, children: [code] }: Element): boolean {
  if (tagName !== 'pre' || code?.type !== 'element' || code.tagName !== 'code') return false
  const [text] = code.children
  return text?.type === 'text' && text.value !== ''
}

/** Removes the line feed at the start of a code block, as the parser does. */
function withoutFirstFeed(element: Element): Element {
  const [code] = element.children
  if (!isCode(element) || code?.type !== 'element') return element
  const [text, ...rest] = code.children
  if (text?.type !== 'text' || !text.value.startsWith('\n')) return element
  return {
    ...element,
    children: [
      { ...code, children: [{ ...text, value: text.value.slice(1) }, ...rest] },
      ...element.children.slice(1),
    ],
  }
}

const TEXTS: ReadonlySet<string> = new Set([
  'align',
  'alt',
  'ariaLabel',
  'dataFootnoteBackref',
  'href',
  'id',
  'src',
  'title',
  'type',
])

/** Returns the properties as they are after a round trip through attributes; undefined if that is not certain. */
function copyProperties(properties: Properties): Properties | undefined {
  const kept: Properties = {}
  for (const key in properties) {
    const value = properties[key]
    if (value === false || value === null || value === undefined) continue
    const copy = copyValue(key, value)
    if (copy === undefined) return undefined
    kept[key] = copy
  }
  return kept
}

function copyValue(key: string, value: NonNullable<Properties[string]>): Properties[string] {
  if (TEXTS.has(key)) return typeof value === 'string' ? value : undefined
  if (key === 'className' || key === 'ariaDescribedBy')
    return Array.isArray(value) || typeof value === 'string' ? splitWords([value].flat()) : undefined
  if (key === 'checked' || key === 'disabled') return value === true || undefined
  if (key === 'dataFootnoteRef' || key === 'dataFootnotes') return value === true ? '' : undefined
  return key === 'start' && Number.isInteger(value) ? value : undefined
}

/** A class in the tree may be several in HTML. */
function splitWords(words: readonly (string | number)[]): string[] {
  const text = words.join(' ').trim()
  return text === '' ? [] : text.split(/[ \t\n\f\r]+/)
}

const TAG =
  /<(?:\/(?<end>[a-z]+\d?)[ \t\n]*|(?<start>[a-z]+\d?)(?<attributes>(?:[ \t\n]+[a-z][a-z-]*(?:="[^"&<]*")?)*)[ \t\n]*(?<slash>\/?))>|[^<&]+/gy

const ATTRIBUTE = /([a-z-]+)(?:="([^"]*)")?/g

/** Characters that a parser counts, replaces or removes differently. */
// eslint-disable-next-line no-control-regex
const UNUSUAL = /[\0-\x08\v-\x1F\x7F-\x9F\uD800-\uDFFF\uFDD0-\uFDEF\uFFFE\uFFFF]/

/** Adds the elements of `raw` to the last of the `open` ones, and opens and closes elements accordingly. */
function joinRaw({ value, position }: Raw, open: Parents[]): boolean {
  if (position?.start.offset === undefined || UNUSUAL.test(value)) return false
  const pointAt = createPoints(value, position.start)
  TAG.lastIndex = 0
  for (let from = 0; from < value.length; from = TAG.lastIndex) {
    const found = TAG.exec(value)
    const { end, start, attributes = '', slash } = found?.groups ?? {}
    if (start !== undefined && ITEM_TAGS.has(start)) closeItem(open, pointAt(from))
    const parent = open.at(-1)
    if (found === null || parent === undefined) return false
    if (end !== undefined) {
      if (isStrayEnd(end, open)) continue
      if (parent.type !== 'element' || parent.tagName !== end || open.length === 1) return false
      if (parent.position !== undefined) parent.position.end = pointAt(TAG.lastIndex)
      open.pop()
    } else if (start === undefined) {
      if (!addText(parent, { type: 'text', value: found[0] })) return false
    } else {
      const element = isPlain(start) ? createElement(start, attributes) : undefined
      if (element === undefined || (slash === '/' && !VOID_TAGS.has(start))) return false
      element.position = { start: pointAt(from), end: pointAt(TAG.lastIndex) }
      parent.children.push(element)
      if (!VOID_TAGS.has(start) && open.push(element) > MOST_LEVELS) return false
    }
  }
  return true
}

const ITEM_TAGS: ReadonlySet<string> = new Set(['dt', 'dd'])

/** An item of a definition list ends where the next one begins. */
function closeItem(open: Parents[], end: Point): void {
  const item = open.at(-1)
  if (open.length === 1 || item?.type !== 'element' || !ITEM_TAGS.has(item.tagName)) return
  if (item.position !== undefined) item.position.end = end
  open.pop()
}

/** Returns true for an end of a definition list or its item where nothing is open, which a parser ignores. */
function isStrayEnd(tag: string, [top, ...open]: readonly Parents[]): boolean {
  return top?.type === 'root' && open.length === 0 && (tag === 'dl' || ITEM_TAGS.has(tag))
}

/** Returns undefined if an attribute occurs twice. */
function createElement(tagName: string, attributes: string): Element | undefined {
  if (attributes === '') return { type: 'element', tagName, properties: {}, children: [] }
  const attrs = [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => ({ name, value }))
  if (new Set(attrs.map(({ name }) => name)).size < attrs.length) return undefined
  return fromParse5(defaultTreeAdapter.createElement(tagName, html.NS.HTML, attrs)) as Element
}

type Point = NonNullable<Raw['position']>['start']

/** Returns a function that computes positions in a text that starts at `start`. Indexes must ascend. */
function createPoints(text: string, { line, column, offset = 0 }: Point): (index: number) => Point {
  let feed = text.indexOf('\n')
  return (index) => {
    for (; feed !== -1 && feed < index; feed = text.indexOf('\n', feed + 1)) {
      line++
      column = -feed
    }
    return { line, column: column + index, offset: offset + index }
  }
}
