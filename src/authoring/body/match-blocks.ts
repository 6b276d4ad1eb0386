import type { Element, ElementContent } from 'hast'
import { isSpace, topNodes, unitsOf, type RenderedGroup, type SourceBlock } from './source-blocks.ts'
import { diffArrays } from 'diff'
import { isInline, NOTE_REF_TAG } from '../../content/from-html/stand-ins.ts'
import { textOfCode } from '../../content/from-html/text-of-code.ts'

/** Source groups that are unchanged on the target, and their blocks there. */
export interface BlockMatch {
  /** Indexes of kept groups. */
  readonly kept: ReadonlySet<number>
  /** The group of each block of the target; undefined for a new block. */
  readonly groupOf: readonly (number | undefined)[]
}

interface Unit {
  readonly key: string
  /** Index of the group or block that it belongs to. */
  readonly owner: number
}

/**
 * Joins adjacent groups of inline HTML, such as `<img>`, a blank line and `<br>`, if they are unchanged on the target.
 * There, no paragraph separates them, so they are one run of text. Definitions and comments between them also join.
 */
export function joinInline(
  groups: readonly RenderedGroup[],
  blocks: readonly SourceBlock[],
  target: readonly Element[],
): RenderedGroup[] {
  const known = new Set(target.flatMap(unitsOf).map(blockKey))
  const joined: RenderedGroup[] = []
  for (let index = 0; index < groups.length;) {
    const end = endOfInline(groups, index, blocks)
    const run = groups.slice(index, end)
    const nodes = run.flatMap((group) => group.nodes)
    const isKnown = run.length > 1 && unitsIn(topNodes(nodes), index).every(({ key }) => known.has(key))
    if (isKnown) joined.push({ first: groups[index]?.first ?? 0, last: groups[end - 1]?.last ?? 0, nodes })
    else joined.push(...run)
    index = end
  }
  return joined
}

/** Returns the index after the last group whose first text continues the last text of the previous group. */
function endOfInline(groups: readonly RenderedGroup[], start: number, blocks: readonly SourceBlock[]) {
  let end = start + 1
  let isOpen = isLoose(groups[start]?.nodes.findLast((node) => !isSpace(node)))
  for (let index = end; isOpen; index++) {
    const { first = -1, nodes } = groups[index] ?? {}
    const seen = nodes?.filter((node) => !isSpace(node)) ?? []
    // A footnote is shown elsewhere and merged by itself.
    if (seen.length === 0) isOpen = nodes !== undefined && blocks[first]?.node.type !== 'footnoteDefinition'
    else if (isLoose(seen[0])) [end, isOpen] = [index + 1, isLoose(seen.at(-1))]
    else isOpen = false
  }
  return end
}

function isLoose(node: ElementContent | undefined): boolean {
  return node?.type === 'text' || (node?.type === 'element' && isInline(node))
}

/** Compares the rendered groups with the blocks of the target, in order. */
export function matchBlocks(groups: readonly RenderedGroup[], target: readonly Element[]): BlockMatch {
  const before = groups.flatMap(({ nodes }, owner) => unitsIn(topNodes(nodes), owner))
  const after = target.flatMap((block, owner) => unitsIn([block], owner))
  const keys = (units: readonly Unit[]): string[] => units.map(({ key }) => key)
  const partners = pairKeys(keys(before), keys(after))
  const kept = settle(before, after, partners)
  const groupOf = target.map((_block, owner) => {
    const index = after.findIndex((unit) => unit.owner === owner)
    const partner = index === -1 ? undefined : partners.get(index)
    const group = partner === undefined ? undefined : before[partner]?.owner
    return group !== undefined && kept.has(group) ? group : undefined
  })
  return { kept, groupOf }
}

function unitsIn(blocks: readonly Element[], owner: number): Unit[] {
  return blocks.flatMap(unitsOf).map((unit) => ({ key: blockKey(unit), owner }))
}

/** Returns the groups that are complete on the target, in blocks without other content. */
function settle(before: readonly Unit[], after: readonly Unit[], partners: ReadonlyMap<number, number>) {
  const owners = after.map((_unit, index) => {
    const partner = partners.get(index)
    return partner === undefined ? undefined : before[partner]?.owner
  })
  const kept = new Set(before.map(({ owner }) => owner))
  const paired = new Set(partners.values())
  before.forEach(({ owner }, index) => paired.has(index) || kept.delete(owner))
  for (let size = -1; size !== kept.size;) {
    size = kept.size
    for (const group of kept) if (!standsAlone(group, owners, after, kept)) kept.delete(group)
  }
  return kept
}

function standsAlone(
  group: number,
  owners: readonly (number | undefined)[],
  after: readonly Unit[],
  kept: ReadonlySet<number>,
): boolean {
  const [first, last] = [owners.indexOf(group), owners.lastIndexOf(group)]
  const blocks = new Set(after.slice(first, last + 1).map(({ owner }) => owner))
  return after.every(({ owner }, index) => {
    const mine = owners[index]
    if (index > first && index < last && mine !== group) return false
    return !blocks.has(owner) || (mine !== undefined && kept.has(mine))
  })
}

// Decides whether two blocks are equal for an author: text, structure, marks and link targets. Ignores how a service
// writes or cleans HTML (classes, sizes, unknown tags).
const BLOCKS = new Set('h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table tr td th hr dl dt dd img'.split(' '))
const MARKS = new Set(['strong', 'em', 'del', 'code', 'br'])
const LINES = new Set([
  'p',
  'div',
  'summary',
  'details',
  'section',
  'aside',
  'figure',
  'figcaption',
  'center',
  'thead',
  'tbody',
])

/** Returns the same key for blocks with the same content. */
export function blockKey(node: ElementContent): string {
  return (
    keyOf(node)
      .replaceAll(/\s+/g, ' ')
      // eslint-disable-next-line no-control-regex
      .replaceAll(/ ?([\u0001\u0002]) ?/g, '$1')
      .trim()
  )
}

function keyOf(node: ElementContent): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return ''
  const { tagName, properties } = node
  if (tagName === NOTE_REF_TAG) return `\u0001${tagName} ${String(properties['title'])}\u0002`
  const inner = node.children.map(keyOf).join('')
  if (tagName === 'pre') return wrap(`pre ${keepSpace(textOfCode(node))}`, inner)
  if (tagName === 'a') return targeted(node, 'href', inner)
  if (tagName === 'img') return targeted(node, 'src', textOf(properties['alt']))
  if (tagName === 'input') return `\u0001${tagName} ${String(Boolean(properties['checked']))}\u0002`
  if (tagName === 'ol') return wrap(`ol ${String(properties['start'] ?? 1)}`, inner)
  if (BLOCKS.has(tagName) || MARKS.has(tagName)) return wrap(tagName, inner)
  return LINES.has(tagName) ? ` ${inner} ` : inner
}

/** Replaces white space in code with characters that are not collapsed. Ignores it at the end. */
function keepSpace(text: string): string {
  return text.trimEnd().replaceAll(/\s/g, (space) => `\u0003${String(space.charCodeAt(0))}\u0003`)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function targeted(element: Element, property: string, inner: string): string {
  const target = element.properties[property]
  return target === undefined ? inner : wrap(`${element.tagName} ${String(target).trim()}`, inner)
}

function wrap(name: string, inner: string): string {
  return `\u0001${name}\u0001${inner}\u0002`
}

// Time grows with the square of the differences. With more than this, the text counts as new anyway.

const MAX_DIFFERENCES = 4000

/** Pairs unchanged items in order: maps indexes in `after` to indexes in `before`. */
export function pairKeys(before: readonly string[], after: readonly string[]): Map<number, number> {
  const pairs = new Map<number, number>()
  let [from, to] = [0, 0]
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_DIFFERENCES }) ?? []
  for (const { added, removed, count } of parts) {
    if (!added && !removed) for (let step = 0; step < count; step++) pairs.set(to + step, from + step)
    if (!added) from += count
    if (!removed) to += count
  }
  return pairs
}
