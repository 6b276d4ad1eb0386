// Texts can be Vue templates, with component tags among those of HTML and `{{ }}` in the text.
import { mayIncludeInSite } from '../includes/include-comment.ts'
import { kindIn } from '../../core/dialects/dialects.ts'
import { VOID_ELEMENTS } from '../../core/model/element-mapping.ts'
import { contextAt, expressionProblem, readConstant, readExpression } from './expressions.ts'
import { putHole } from './holes.ts'
import { escapeHtml, missingAttribute, openTag, withoutAttribute } from './own-elements.ts'
import { reportComponent } from './convert-jsx.ts'
import type { Conversion } from './conversion.ts'
import type { TreeNode } from './tree-node.ts'
import { contextsInHtml, type HoleContext, isUrlAttribute, unresolvedProblem } from './unresolved.ts'
import { misplacedInclude } from '../includes/include-problems.ts'

const TAG =
  /<(\/?)([A-Z][\w.]*|[a-z]+(?:-[a-z\d]+)+)((?:\s+[^\s"'<>=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>`]+))?)*)\s*(\/?)>/g

/** Returns raw HTML without component tags; no node if nothing is left. */
export function convertHtml(node: TreeNode, conversion: Conversion): TreeNode[] {
  const written = node.value ?? ''
  if (mayIncludeInSite(written)) conversion.problems.push(misplacedInclude(conversion.ranges.of(node)))
  const isVerbatim = conversion.verbatim > 0 || /\sv-pre[\s>]/.test(written)
  countVerbatim(written, conversion)
  // Components come first, because the project's own elements may be code or contain a URL.
  const tags = withoutRepeated(node, withoutUnseen(written), conversion).replace(
    TAG,
    (whole, slash: string, name: string, attributes: string) => {
      const own = ownTag(whole, { slash, name, attributes }, node, conversion)
      if (own !== undefined) return own
      const kind = kindIn(conversion.dialect.text.components, name)
      if (kind === 'badge')
        return slash === '/' ? '</sup>' : badge(node, attributes, whole.endsWith('/>'), conversion)
      if (slash === '' && kind === undefined) reportComponent(node, name, conversion)
      return ''
    },
  )
  const filled = isVerbatim ? tags : interpolateHtml(node, tags, conversion)
  const value = bindUrls(node, filled, conversion)
    .replace(/<[a-z][^<>]*>?/g, (tag) => tag.replace(/(?<!\s)\s+v-pre(?=[\s>])/, ''))
    .replace(/<\/?template(?![\w-])[^<>]*>/g, '')
  if (value === written) return [node]
  return value.trim() === '' ? [] : [{ ...node, value }]
}

const ATTRIBUTE = /([^\s"'<>=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/g

/** Attributes for Vue only, or for styles. */
const UNSEEN = /^(?:class|style|key|ref)$/

interface WrittenTag {
  readonly slash: string
  readonly name: string
  readonly attributes: string
}

/** Returns the tag of the element that the configuration defines for a component; undefined if there is none. */
function ownTag(whole: string, tag: WrittenTag, node: TreeNode, conversion: Conversion): string | undefined {
  const { slash, name, attributes } = tag
  const written = new Map<string, string>()
  const unread = new Map<string, string>()
  for (const [attribute, key = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? ''
    // Vue evaluates an attribute with a colon, and keeps other text as it is.
    const bound = /^(?::|v-bind:)(.+)/.exec(key)?.[1]
    const text = bound === undefined ? value : (readExpression(value) ?? readBound(value))
    if (bound !== undefined && text === undefined) unread.set(bound, attribute)
    else if (text !== undefined && !/^(?:v-(?!bind:)|[@#])/.test(key)) written.set(bound ?? key, text)
  }
  const open = conversion.openOwn.get(name) ?? []
  conversion.openOwn.set(name, open)
  const own = slash === '/' ? open.pop() : conversion.findOwn(name, () => Object.fromEntries(written))
  if (slash === '' && !whole.endsWith('/>')) open.push(own)
  if (own === undefined) return undefined
  const { element } = own
  if (slash === '/') return VOID_ELEMENTS.has(element) ? '' : `</${element}>`
  const values = new Map(own.values === undefined ? [] : Object.entries(own.values))
  if (own.values === undefined) {
    for (const [key, value] of written) {
      const to = own.nameOf(key)
      if (to !== undefined && !UNSEEN.test(to)) values.set(to, value)
    }
    for (const [key, attribute] of unread) {
      const to = own.nameOf(key)
      if (to === undefined || UNSEEN.test(to)) continue
      const problem = expressionProblem(attribute, isUrlAttribute(to) ? 'url' : 'text')
      conversion.problems.push({ ...problem, ...conversion.ranges.ofTag(node, name) })
    }
  }
  const lacking = missingAttribute(element, (attribute) => values.has(attribute))
  if (lacking !== undefined) {
    conversion.problems.push({
      code: 'component-removed',
      ...conversion.ranges.ofTag(node, name),
      ...withoutAttribute(`<${name}>`, element, lacking),
    })
  }
  if (element === 'img' && lacking !== undefined) return escapeHtml(values.get('alt') ?? '')
  return `${openTag(element, values)}${whole.endsWith('/>') && !VOID_ELEMENTS.has(element) ? `</${element}>` : ''}`
}

/** Counts `<span v-pre>` without its end tag. With the end tag in the same HTML node, it contains no Markdown. */
function countVerbatim(written: string, conversion: Conversion): void {
  if (!written.includes('<', 1) && /^<[a-z][^<>]*\sv-pre[\s>]/.test(written)) conversion.verbatim++
  else if (conversion.verbatim > 0 && /^<\/[a-z]+\s*>$/.test(written)) conversion.verbatim--
}

/** Converts a badge: a word in a coloured box after a heading. */
function badge(node: TreeNode, attributes: string, isWhole: boolean, conversion: Conversion): string {
  const [attribute = '', bound, double, single] =
    /\s(:|v-bind:)?text\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes) ?? []
  const text = double ?? single ?? ''
  const read = bound === undefined ? text : readBound(text)
  if (read === undefined)
    conversion.problems.push({
      ...expressionProblem(attribute.trim(), 'text'),
      ...conversion.ranges.ofTag(node, 'Badge'),
    })
  const words = (read ?? '').replaceAll('<', '&lt;')
  return isWhole ? `<sup>${words}</sup>` : `<sup>${words}`
}

const INTERPOLATION = /\{\{[\s\S]*?\}\}/g

/** Returns a text without the expressions that Vue would evaluate. */
export function convertText(node: TreeNode, conversion: Conversion): TreeNode[] {
  const { value = '', position } = node
  if (conversion.verbatim > 0 || !value.includes('{{') || !value.includes('}}')) return [node]
  const start = position?.start.offset
  const words = interpolate(node, value, conversion, (from, to) =>
    contextAt(start && start + from, start && start + to, conversion),
  )
  return words === '' ? [] : [{ ...node, value: words }]
}

/** Interpolates raw HTML, with its tags and code treated as such. */
function interpolateHtml(node: TreeNode, html: string, conversion: Conversion): string {
  const offsets = [...html.matchAll(INTERPOLATION)].map(({ index }) => index)
  const contexts = contextsInHtml(html, offsets, conversion)
  return offsets.length === 0
    ? html
    : interpolate(node, html, conversion, (_from, _to, count) =>
        isWholeBlock(html, offsets[count] ?? 0) ? 'text' : (contexts[count] ?? 'text'),
      )
}

/** Returns true for `<pre>{{ data }}</pre>`, which is removed as a whole, so that no command has a gap. */
function isWholeBlock(html: string, at: number): boolean {
  const end = html.indexOf('}}', at) + 2
  return (
    /<pre[^<>]{0,200}>\s{0,20}$/.test(html.slice(Math.max(0, at - 230), at)) &&
    /^\s{0,20}<\/pre>/.test(html.slice(end, end + 30))
  )
}

/**
 * Returns the value of a node without its interpolations. Known ones become text; for others, a problem is added.
 *
 * @param contextOf returns the context of the interpolation between two offsets in the node's source; `count` others
 *   come before it
 */
export function interpolate(
  node: TreeNode,
  value: string,
  conversion: Conversion,
  contextOf: (from: number, to: number, count: number) => HoleContext,
): string {
  const { ranges, problems, holes } = conversion
  let count = -1
  const written = ranges.textOf(node)
  let from = 0
  // Search limit: there is no closing sequence after the last one.
  const end = value.lastIndexOf('}}') + 2
  const rest = value.slice(0, end).replace(INTERPOLATION, (whole: string, index: number) => {
    count++
    const at = from === -1 ? -1 : written.indexOf(whole, from)
    // It was written with entities, so the positions of later ones are unknown.
    from = at === -1 ? -1 : at + whole.length
    const code = whole.slice(2, -2)
    const known = readExpression(code) ?? readConstant(code, conversion)
    if (known !== undefined) return known
    const place = at === -1 ? ranges.of(node) : ranges.within(node, at, from)
    const begin = at === -1 ? index : at
    const context = contextOf(begin, begin + whole.length, count)
    problems.push({ ...expressionProblem(whole, context), ...place })
    if (context === 'code') return whole
    return context === 'url' ? putHole(holes, whole) : ''
  })
  return `${rest}${value.slice(end)}`
}

/** Returns true for a node with an expression in its URL, which is no template: its braces stay and make it invalid. */
export function hasExpression({ url = '' }: TreeNode, { verbatim }: Conversion): boolean {
  return verbatim === 0 && /\{\{|%7B%7B/i.test(url)
}

/** Returns the placeholder URL for a node with an expression in its URL. */
export function urlHole(node: TreeNode, { ranges, problems, holes }: Conversion): string {
  const { url = '' } = node
  problems.push({ ...unresolvedProblem(`The expression in ${url}`, 'url'), ...ranges.of(node) })
  return putHole(holes, url)
}

const BOUND_URL =
  /(?<=<[a-z][a-z\d]*\s(?:[^<>]{0,2000}?\s)?)(?::|v-bind:)([a-z][\w-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')(?=[^<>]{0,2000}>)/g

/** Converts `:href="…"` and similar. A readable value becomes the attribute; otherwise a problem is added. */
function bindUrls(node: TreeNode, html: string, { ranges, problems, holes }: Conversion): string {
  if (!/(?::|v-bind:)[a-z]/.test(html)) return html
  return html.replace(BOUND_URL, (whole, name: string, double?: string, single?: string) => {
    if (!isUrlAttribute(name)) return whole
    const code = double ?? single ?? ''
    const known = readBound(code)
    if (known !== undefined) return `${name}="${known.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
    const at = ranges.textOf(node).indexOf(whole)
    const place = at === -1 ? ranges.of(node) : ranges.within(node, at, at + whole.length)
    problems.push({ ...unresolvedProblem(`The attribute ${whole}`, 'url'), ...place })
    return `${name}="${putHole(holes, code)}"`
  })
}

/** Reads a text, or a URL below the site's base. */
function readBound(code: string): string | undefined {
  const based = /^withBase\(\s*(.*?)\s*\)$/s.exec(code.trim())?.[1]
  const read = readExpression(based ?? code)
  return read === '' ? undefined : read
}

const VALUE = String.raw`"[^"]{0,2000}"|'[^']{0,2000}'`
const REPEATED = new RegExp(
  String.raw`<([a-z][\w-]*)(?=\s)((?:[^<>"']|${VALUE}){0,500}?\sv-for\s*=\s*(?:${VALUE}))(?:[^<>"']|${VALUE}){0,500}>`,
  'gi',
)

/** Returns raw HTML without elements that repeat values only known to the site's code. Takes linear time. */
function withoutRepeated(node: TreeNode, html: string, { ranges, problems }: Conversion): string {
  if (!html.includes('v-for')) return html
  let kept = ''
  let from = 0
  let computedAt = -1
  const ends = endsOfElements(html)
  const unclosed = new Set<string>()
  for (const { 1: name = '', 2: start = '', index: at } of html.matchAll(REPEATED)) {
    if (at < from || unclosed.has(name.toLowerCase())) continue
    const end = ends.get(at)
    if (end === undefined) unclosed.add(name.toLowerCase())
    if (computedAt < at) computedAt = indexOfComputed(html, at)
    if (end === undefined || computedAt >= end) continue
    kept += html.slice(from, at)
    from = end
    problems.push({ ...expressionProblem(`<${name}${start}>`, 'text'), ...ranges.of(node) })
  }
  return kept + html.slice(from)
}

function indexOfComputed(html: string, from: number): number {
  const computed = /\{\{|\s(?::|v-(?:bind|html|text))/g
  computed.lastIndex = from
  return computed.exec(html)?.index ?? html.length
}

const ANY_TAG = new RegExp(String.raw`<(/?)([a-z][\w-]*)(?![\w-])(?:[^<>"']|${VALUE}){0,1001}>`, 'gi')

/** Maps starts of elements to their ends. A tag that ends in `/>` ends with the enclosing element of its name. */
function endsOfElements(html: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const openOf = new Map<string, { at: number; isWhole: boolean }[]>()
  for (const { 0: tag, 1: slash, 2: name = '', index: at } of html.matchAll(ANY_TAG)) {
    const open = openOf.get(name.toLowerCase()) ?? []
    openOf.set(name.toLowerCase(), open)
    const isWhole = tag.endsWith('/>')
    if (slash === '') open.push({ at, isWhole })
    if (slash === '' || isWhole) continue
    const ended = open.splice(
      Math.max(
        0,
        open.findLastIndex((opening) => !opening.isWhole),
      ),
    )
    for (const opening of ended) ends.set(opening.at, at + tag.length)
  }
  return ends
}

const OPENING_UNSEEN = /<(script|style)\b/gi

/** Returns raw HTML without elements that the page would run or apply. Takes linear time. */
export function withoutUnseen(html: string): string {
  let kept = ''
  let from = 0
  // Elements without another end tag.
  const unclosed = new Set<string>()
  for (const { 0: opening, 1: written = '', index: at } of html.matchAll(OPENING_UNSEEN)) {
    const name = written.toLowerCase()
    if (at < from || unclosed.has(name)) continue
    const end = endOfElement(html, at + opening.length, name)
    if (end === undefined) unclosed.add(name)
    else {
      kept += html.slice(from, at)
      from = end
    }
  }
  return kept + html.slice(from)
}

function endOfElement(html: string, from: number, name: string): number | undefined {
  const start = html.indexOf('>', from)
  if (start === -1) return undefined
  const closing = new RegExp(String.raw`</${name}\s*>`, 'gi')
  closing.lastIndex = start + 1
  return closing.test(html) ? closing.lastIndex : undefined
}
