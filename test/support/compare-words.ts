// What a tool's page shows and an article does not, word by word: text must not get lost on its way without anybody being
// told.
import type { Element, Nodes, Root } from 'hast'
import { fromHtml } from 'hast-util-from-html'

/** Words of a page in their order, in lower case. */
export type Words = readonly string[]

// What the themes add on their own: names of languages and of alerts, marks of headings, and numbers of footnotes.
const ADDED = new Set([
  'lang',
  'copy',
  'header-anchor',
  'hash-link',
  'footnote-ref',
  'footnote-backref',
  'line-numbers-wrapper',
])
const TITLES = new Set(['custom-block-title', 'markdown-alert-title'])
const ALERTS = new Set(['note', 'tip', 'info', 'important', 'warning', 'danger', 'caution', 'details'])

/**
 * The words of an HTML text.
 *
 * @param isContent the element that holds the content of a page; default: all of it
 */
export function wordsOf(html: string, isContent?: (element: Element) => boolean): Words {
  const tree = fromHtml(html, { fragment: isContent === undefined })
  const roots = isContent === undefined ? [tree] : findAll(tree, isContent)
  if (roots.length === 0) throw new Error('The page has no content.')
  return (
    roots
      .map(textOf)
      .join('\n')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

export function classesOf({ properties }: Element): readonly string[] {
  return Array.isArray(properties['className']) ? properties['className'].map(String) : []
}

function findAll(node: Root | Element, isContent: (element: Element) => boolean): Element[] {
  return node.children.flatMap((child) => {
    if (child.type !== 'element') return []
    return isContent(child) ? [child] : findAll(child, isContent)
  })
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && isAdded(node)) return ''
  if (!('children' in node)) return ''
  const text = node.children.map(textOf).join('')
  // A word ends with its block: tags within words, such as those of colours, do not count.
  const isInline =
    node.type === 'element' && /^(?:span|a|b|i|em|strong|code|sup|sub|kbd|mark|del)$/.test(node.tagName)
  return isInline ? text : ` ${text} `
}

function isAdded(element: Element): boolean {
  if (['button', 'nav', 'script', 'style'].includes(element.tagName)) return true
  const classes = classesOf(element)
  if (classes.some((name) => ADDED.has(name))) return true
  if ('dataFootnoteRef' in element.properties || 'dataFootnoteBackref' in element.properties) return true
  const isTitle = classes.some((name) => TITLES.has(name) || name.startsWith('admonitionHeading'))
  return isTitle && ALERTS.has(element.children.map(textOf).join('').trim().toLowerCase())
}

/** The headings of an HTML text, which a table of contents says once more. */
export function headingsIn(html: string): string {
  return [...html.matchAll(/<h[2-6][^>]*>(.*?)<\/h[2-6]>/gs)].map(([, text]) => text).join(' ')
}

/** The words of `built` that `sent` lacks, each as often as it lacks it. */
export function lostWords(built: Words, sent: Words): Words {
  const left = new Map<string, number>()
  for (const word of sent) left.set(word, (left.get(word) ?? 0) + 1)
  return built.filter((word) => {
    const count = left.get(word) ?? 0
    if (count > 0) left.set(word, count - 1)
    return count === 0
  })
}
