import type { Element, ElementContent, Parents, Root, Text } from 'hast'
import { HEADING_ELEMENTS } from '../../core/model/element-mapping.ts'
import { GAP_TAG } from './stand-ins.ts'

const MARKS = new Map([
  ['b', 'strong'],
  ['i', 'em'],
  ['s', 'del'],
  ['strike', 'del'],
])
const SPACED = new Set(['strong', 'em', 'del', 'a', 'code'])
/** Elements whose content must be on one line in Markdown. */
const ONE_LINE = new Set<string>([...HEADING_ELEMENTS, 'td', 'th', 'summary', 'dt'])
const TRIMMED = new Set(['p', ...ONE_LINE])
/** Elements that are removed if they are empty. */
const LINES = new Set(['p', 'div', 'section', 'aside', 'figure', 'figcaption', 'center', 'ul', 'ol', 'dl'])
const HAS_MEANING = new Set<string>([
  ...HEADING_ELEMENTS,
  'img',
  'hr',
  'input',
  'picture',
  'wbr',
  'video',
  'audio',
  'iframe',
])

/** Removes editing artefacts (spaces inside marks, split or empty marks, double breaks), in place. */
export function tidyHtml(tree: Root): void {
  tidyChildren(tree, { marks: new Set(), isOneLine: false })
}

interface Around {
  readonly marks: ReadonlySet<string>
  readonly isOneLine: boolean
}

function tidyChildren(parent: Parents, around: Around): void {
  const tidied = (parent.children as ElementContent[]).flatMap((child) => tidy(child, around))
  parent.children = splitAtBreaks(mergeNeighbours(tidied))
}

function tidy(node: ElementContent, around: Around): ElementContent[] {
  if (node.type === 'text') return [{ type: 'text', value: tidySpace(node.value, around.isOneLine) }]
  if (node.type !== 'element') return []
  if (node.tagName === 'pre') return [node]
  node.tagName = MARKS.get(node.tagName) ?? node.tagName
  const { tagName } = node
  const isMark = tagName === 'strong' || tagName === 'em' || tagName === 'del'
  tidyChildren(node, {
    marks: isMark ? new Set([...around.marks, tagName]) : around.marks,
    isOneLine: around.isOneLine || ONE_LINE.has(tagName),
  })
  if (TRIMMED.has(tagName)) {
    takeSpace(node, 'start')
    takeSpace(node, 'end')
  }
  if (LINES.has(tagName) && !hasMeaning(node)) return [gapFor(around)]
  if (isMark && (around.marks.has(tagName) || !hasMeaning(node))) return node.children
  return SPACED.has(tagName) ? spacesOutside(node) : [node]
}

/** Replaces an empty paragraph, so that the texts around it stay separate. */
function gapFor({ isOneLine }: Around): ElementContent {
  if (isOneLine) return { type: 'text', value: ' ' }
  return { type: 'element', tagName: GAP_TAG, properties: {}, children: [] }
}

/** Editors use a no-break space to keep a second space beside it; a single one between words is intended. */
function tidySpace(text: string, isOneLine: boolean): string {
  const spaced = text.replaceAll(/[ \u00A0]{2,}/g, (run) => (run.includes('\u00A0') ? ' ' : run))
  return isOneLine ? spaced.replaceAll(/[\t ]*[\r\n]+[\t ]*/g, ' ') : spaced
}

function hasMeaning(parent: Element): boolean {
  return parent.children.some((child) => {
    if (child.type === 'text') return child.value.trim() !== ''
    return child.type === 'element' && (isSeen(child) || hasMeaning(child))
  })
}

function isSeen({ tagName, properties }: Element): boolean {
  return HAS_MEANING.has(tagName) || (tagName === 'a' && Object.keys(properties).length > 0)
}

/** Moves the space out of `<b>word </b>`, because Markdown's marks must touch the word. */
function spacesOutside(element: Element): ElementContent[] {
  const lead = takeSpace(element, 'start')
  const trail = takeSpace(element, 'end')
  const isEmpty = element.children.length === 0 && element.tagName !== 'a'
  return [...lead, ...(isEmpty ? [] : [element]), ...trail]
}

/** Removes white space and breaks from one end. */
function takeSpace(element: Element, side: 'start' | 'end'): ElementContent[] {
  const { children } = element
  const node = children.at(side === 'start' ? 0 : -1)
  if (node?.type === 'element' && node.tagName === 'br') {
    children.splice(children.indexOf(node), 1)
    return inOrder(node, takeSpace(element, side), side)
  }
  if (node?.type !== 'text') return []
  const pattern = side === 'start' ? /^[\s\u00A0]+/ : /[\s\u00A0]+$/
  const value = pattern.exec(node.value)?.[0]
  if (value === undefined) return []
  node.value = node.value.replace(pattern, '')
  const space: Text = { type: 'text', value }
  if (node.value !== '') return [space]
  children.splice(children.indexOf(node), 1)
  return inOrder(space, takeSpace(element, side), side)
}

function inOrder(outer: ElementContent, inner: ElementContent[], side: 'start' | 'end'): ElementContent[] {
  return side === 'start' ? [outer, ...inner] : [...inner, outer]
}

/** Merges `<b>one</b><b>two</b>` into one mark. */
function mergeNeighbours(nodes: readonly ElementContent[]): ElementContent[] {
  const merged: ElementContent[] = []
  for (const node of nodes) {
    const before = merged.at(-1)
    if (before?.type === 'text' && node.type === 'text') before.value += node.value
    else if (isSameMark(before, node) && node.type === 'element')
      before.children = mergeNeighbours([...before.children, ...node.children])
    else merged.push(node)
  }
  return merged
}

function isSameMark(before: ElementContent | undefined, node: ElementContent): before is Element {
  if (before?.type !== 'element' || node.type !== 'element' || before.tagName !== node.tagName) return false
  return ['strong', 'em', 'del'].includes(node.tagName)
}

/** Splits a paragraph at two consecutive breaks. */
function splitAtBreaks(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node) =>
    node.type === 'element' && node.tagName === 'p' ? splitParagraph(node) : [node],
  )
}

function splitParagraph(paragraph: Element): Element[] {
  const parts: ElementContent[][] = [[]]
  const { children } = paragraph
  for (let index = 0; index < children.length;) {
    const end = endOfBreaks(children, index)
    if (end > index) parts.push([])
    else parts.at(-1)?.push(children[index] as ElementContent)
    index = Math.max(end, index + 1)
  }
  const split = parts.map((part) => ({ ...paragraph, children: part }))
  return split.length === 1 ? split : split.filter(hasMeaning)
}

/** Returns the index after at least two breaks from `from` on, with white space between them; otherwise `from`. */
function endOfBreaks(children: readonly ElementContent[], from: number): number {
  let count = 0
  let end = from
  for (let index = from; index < children.length; index++) {
    const child = children[index]
    if (child?.type === 'element' && child.tagName === 'br') {
      count++
      end = index + 1
    } else if (child?.type !== 'text' || child.value.trim() !== '' || count === 0) break
  }
  return count > 1 ? end : from
}
