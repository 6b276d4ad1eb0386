import type { Element, Nodes, Parents, Properties, Root } from 'hast'
import { raw } from 'hast-util-raw'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { find, html } from 'property-information'
import { VFile } from 'vfile'
import type { Problem, SourceRange } from '../../core/model/diagnostic.ts'
import { assertShallow, MOST_LEVELS } from '../parser/nesting-limit.ts'
import { isIncludeLike } from '../includes/include-comment.ts'
import { misplacedInclude } from '../includes/include-problems.ts'
import type { SourceRanges } from './source-ranges.ts'
import { INLINE_TAGS } from '../../core/model/projection.ts'
import { joinTags } from './join-tags.ts'

interface Cleaning {
  readonly tree: Root
  readonly schema: Schema
  /** The schema for a single element, regardless of its parents. */
  readonly alone: Schema
  readonly tagNames: ReadonlySet<string>
  readonly ranges: SourceRanges
  readonly problems: Problem[]
  /** Returns true for properties that are removed without a problem. */
  readonly unsaid: (property: string) => boolean
  /** Tags of the elements around the current one. */
  readonly open: string[]
  /** True if the sanitizer may change the tree. */
  isChanged: boolean
}

/** Matches style and data properties. In the site of a tool they belong to its theme, so the author need not fix them. */
const OF_THEME = /^(?:className|style|data[A-Z\d-].*)$/

/**
 * Parses the raw HTML in `tree` as a browser would read the whole text. `body` is its source.
 *
 * @returns the tree, and whether it consists only of texts and elements that a parser reads as they are
 */
export function parseRawHtml(
  tree: Root,
  body: string,
): { readonly parsed: Root; readonly isNested: boolean } {
  const joined = joinTags(tree)
  if (joined !== undefined && isWellNested(joined)) return { parsed: joined, isNested: true }
  closeRunawayTags(tree)
  return { parsed: rootOf(raw(tree, { file: new VFile(body) })), isNested: false }
}

/**
 * Removes everything that `schema` does not allow, and adds a problem for each removal. Returns a nested tree itself if
 * there is nothing to remove. Throws an error for `isTooDeep` if there are too many levels.
 *
 * @param isNested see `parseRawHtml`
 * @param isOfSite true if the text was written for the site of a tool
 */
export function cleanHtml(
  tree: Root,
  schema: Schema,
  {
    isNested,
    isOfSite,
    ...context
  }: Pick<Cleaning, 'ranges' | 'problems'> & { readonly isNested: boolean; readonly isOfSite: boolean },
): Root {
  const alone = { ...schema, ancestors: {}, required: {} }
  const tagNames = new Set(schema.tagNames)
  const cleaning: Cleaning = {
    tree,
    schema,
    alone,
    tagNames,
    ...context,
    unsaid: (property) => isOfSite && OF_THEME.test(property),
    open: [],
    isChanged: !isNested,
  }
  findRemoved(tree, cleaning)
  return cleaning.isChanged ? rootOf(sanitize(tree, schema)) : tree
}

// Elements in which a browser parses no tags. Without an end tag, one contains the rest of the article.
const RUNAWAY = /<(script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext)(?=[\t\n\f\r />])/gi

/** Converts tags without an end tag that would contain the rest of the text to plain text, as in GFM. */
function closeRunawayTags(tree: Root): void {
  const raws = rawNodes(tree, [])
  const all = raws.map((node) => node.value.toLowerCase())
  raws.forEach((node, index) => {
    node.value = node.value.replace(RUNAWAY, (tag: string, name: string, at: number) => {
      const close = `</${name.toLowerCase()}`
      const closed =
        node.value.toLowerCase().includes(close, at) ||
        all.slice(index + 1).some((text) => text.includes(close))
      return closed ? tag : `&lt;${name}`
    })
  })
}

function rawNodes(parent: Parents, found: { value: string }[]): { value: string }[] {
  for (const child of parent.children) {
    if (child.type === 'raw') found.push(child)
    else if (child.type === 'element') rawNodes(child, found)
  }
  return found
}

function findRemoved(parent: Parents, cleaning: Cleaning): void {
  // Backwards, so that a removal does not change the index of remaining nodes. Problems are sorted later.
  for (let index = parent.children.length - 1; index >= 0; index--) {
    const child = parent.children[index] as Nodes
    if (child.type === 'comment' && isMarkerLike(child.value)) {
      cleaning.problems.push(markerProblem(cleaning.ranges.of(child)))
    } else if (child.type === 'comment' && isIncludeLike(child.value)) {
      cleaning.problems.push(misplacedInclude(cleaning.ranges.of(child)))
    } else if (child.type === 'element') {
      if (isStrayInput(child, cleaning.schema)) {
        reportTag(child, cleaning)
        parent.children.splice(index, 1)
      } else {
        findRemovedIn(child, cleaning)
      }
    }
  }
}

function findRemovedIn(element: Element, cleaning: Cleaning): void {
  const { schema, open, tree } = cleaning
  const { tagName } = element
  if (cleaning.tagNames.has(tagName)) reportAttributes(element, cleaning)
  else {
    reportTag(element, cleaning)
    if (schema.strip?.includes(tagName) === true) return assertShallow(element, open.length + 1)
  }
  // A tag may be named like a property of every object.
  const parents = Object.hasOwn(schema.ancestors ?? {}, tagName) ? schema.ancestors?.[tagName] : undefined
  const isAlone = parents?.some((each) => open.includes(each)) === false
  if (isAlone || schema.required?.[tagName] !== undefined) cleaning.isChanged = true
  // Its children are too deep. The whole tree shows which element is the first, and is searched only once.
  if (open.push(tagName) >= MOST_LEVELS && element.children.length > 0) assertShallow(tree)
  findRemoved(element, cleaning)
  open.pop()
}

/** Returns true for an input other than a check box. The sanitizer would turn it into one, so it is removed. */
function isStrayInput(element: Element, schema: Schema): boolean {
  const isInput = element.tagName === 'input' && schema.required?.['input'] !== undefined
  return isInput && String(element.properties['type']).toLowerCase() !== 'checkbox'
}

function reportTag(element: Element, cleaning: Cleaning): void {
  const { ranges, problems } = cleaning
  cleaning.isChanged = true
  problems.push({
    code: 'html-removed',
    ...ranges.ofTag(element, element.tagName),
    message: `The tag <${element.tagName}> is not allowed and was removed.`,
    hint: hintForTag(element.tagName),
  })
}

function reportAttributes(element: Element, cleaning: Cleaning): void {
  const { alone, ranges, problems, unsaid } = cleaning
  const { tagName, properties } = element
  if (areFree(properties, tagName, cleaning.schema)) return
  const shell: Element = { type: 'element', tagName, properties, children: [] }
  const kept = (sanitize(shell, alone) as Element).properties
  for (const [key, value] of Object.entries(properties)) {
    if (value !== kept[key] && !(Array.isArray(value) && isWhole(value, kept[key]))) cleaning.isChanged = true
    if (isWhole(value, kept[key]) || unsaid(key)) continue
    const { attribute } = find(html, key)
    problems.push({
      code: 'html-removed',
      ...ranges.ofTag(element, tagName, attribute),
      message: `The attribute ${attribute} of <${tagName}> is not allowed and was removed.`,
      hint: hintForAttribute(attribute, tagName),
    })
  }
}

/**
 * Returns true if the properties may have every value, like most: asking the sanitizer takes several times as long. In
 * `schema`, a definition for every value is before others of the same attribute.
 */
function areFree(properties: Properties, tagName: string, { attributes }: Schema): boolean {
  for (const key in properties) {
    // Of a list, the sanitizer removes some values.
    if (typeof properties[key] === 'object') return false
    if (attributes?.[tagName]?.includes(key) !== true && attributes?.['*']?.includes(key) !== true)
      return false
  }
  return true
}

function hintForTag(tagName: string): string {
  if (tagName === 'script')
    return 'Articles cannot contain scripts: remove it, or write it as `code` to show it.'
  return `To show it as text, write it as \`code\`; to keep it, add '${tagName}' to markdown.allow.tags.`
}

function hintForAttribute(attribute: string, tagName: string): string {
  if (attribute.startsWith('on')) return 'Articles cannot contain scripts: remove it.'
  return `To keep it, add '${attribute}' to markdown.allow.attributes under '${tagName}'.`
}

function isWhole(before: unknown, after: unknown): boolean {
  if (before === null || before === undefined || before === false) return true
  if (!Array.isArray(before)) return after !== undefined
  return Array.isArray(after) && after.length === before.length
}

function rootOf(tree: Nodes): Root {
  if (tree.type === 'root') return tree
  return { type: 'root', children: [tree] }
}

function isMarkerLike(comment: string): boolean {
  return comment.startsWith('kb') && !comment.startsWith('kb-ignore')
}

/** Returns true if a comment, including its `<!--`, is one of our markers. */
export function isMarkerComment(comment: string): boolean {
  return isMarkerLike(comment.trimStart().slice('<!--'.length))
}

export function markerProblem(range: SourceRange): Problem {
  return {
    code: 'marker-removed',
    ...range,
    message: 'A comment that looks like a marker of kb-sync was removed.',
    hint: 'If this is your own comment, put a space after <!--.',
  }
}

/** Escapes everything that reads as the start of a comment, which only attributes can still contain. */
export function withoutCommentStarts(written: string): string {
  return written.replaceAll('<!--', '&#x3C;!--')
}

/**
 * Returns true if a parser reads the same tree from its HTML. The rule is sufficient for ordinary documents: inline
 * elements, paragraphs and headings contain only inline elements, links contain no links, items are in lists, and
 * tables consist of rows and cells.
 */
export function isWellNested(parent: Parents, inLink = false): boolean {
  const onlyInline = parent.type === 'element' && holdsOnlyInline(parent)
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const isLink = child.tagName === 'a'
    if (isLink && inLink) return false
    if (onlyInline && !isInline(child)) return false
    if (!isAtItsPlace(child, parent)) return false
    if (!isWellNested(child, inLink || isLink)) return false
  }
  return true
}

function isInline({ tagName, children }: Element): boolean {
  return INLINE_TAGS.has(tagName) || (tagName === 'br' && children.length === 0)
}

function holdsOnlyInline({ tagName }: Element): boolean {
  return tagName === 'p' || INLINE_TAGS.has(tagName) || /^h[1-6]$/.test(tagName)
}

const TABLE_PARTS = ['table', 'thead', 'tbody', 'tfoot']

/** The parents that elements need. A parser moves them out of any other. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  caption: ['table'],
  colgroup: ['table'],
  col: ['colgroup'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  tr: ['thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
  // The parser closes other items that are open, of which there are none at the top.
  dt: ['dl', ''],
  dd: ['dl', ''],
}

/** Elements that contain only specific elements. */
const STRICT: ReadonlySet<string> = new Set([...TABLE_PARTS, 'tr', 'colgroup'])

function isAtItsPlace({ tagName }: Element, parent: Parents): boolean {
  const range = parent.type === 'element' ? parent.tagName : ''
  const ranges = PLACES[tagName]
  return ranges === undefined ? !STRICT.has(range) : ranges.includes(range)
}
