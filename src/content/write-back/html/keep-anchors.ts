import GithubSlugger from 'github-slugger'
import type { Element, ElementContent, Parents, Root } from 'hast'
import { textOf } from '../../markdown/plain-text.ts'
import { linkedIds } from './readdress.ts'

const HEADING = /^h[1-6]$/

/**
 * Takes away ids, in place. One that a link of the article leads to stays as an empty anchor in front of the content,
 * unless it is the id that a heading gets from its text anyway.
 */
export function keepAnchors(tree: Root): void {
  visit(tree, linkedIds(tree), new GithubSlugger())
}

function visit(parent: Parents, linked: ReadonlySet<string>, slugger: GithubSlugger): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const own = HEADING.test(child.tagName) ? slugger.slug(textOf(child).normalize('NFC')) : undefined
    const { id } = child.properties
    if (!isAnchor(child)) {
      delete child.properties['id']
      if (typeof id === 'string' && id !== own && linked.has(id)) anchorIn(child, id)
    }
    visit(child, linked, slugger)
  }
}

/** An `a` that leads nowhere and is only there to be found. */
export function isAnchor({ tagName, properties }: Element): boolean {
  if (tagName !== 'a' || properties['href'] !== undefined) return false
  return properties['id'] !== undefined || properties['name'] !== undefined
}

// Elements that hold other elements of theirs first.
const HOLDERS = new Set([
  'ul',
  'ol',
  'dl',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'colgroup',
  'details',
  'pre',
])
const EMPTY = new Set(['br', 'hr', 'img', 'input', 'col', 'source', 'wbr'])

function anchorIn(element: Element, id: string): void {
  if (EMPTY.has(element.tagName)) return
  const first = element.children.find((child): child is Element => child.type === 'element')
  if (HOLDERS.has(element.tagName) && first !== undefined && element.tagName !== 'pre')
    return anchorIn(first, id)
  const anchor: ElementContent = { type: 'element', tagName: 'a', properties: { id }, children: [] }
  element.children.unshift(anchor)
}
