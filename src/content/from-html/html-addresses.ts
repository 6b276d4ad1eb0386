import GithubSlugger from 'github-slugger'
import type { Element, ElementContent, Parents, Properties, Root } from 'hast'
import { decodeAddress } from '../source/link-address.ts'
import { textOf } from '../markdown/plain-text.ts'
import { screenUrl, URL_PROPERTIES, mapSrcset } from '../markdown/screen-url.ts'

/** Turns an address on the target back into what an author would write; undefined leaves it. */
export type LinkOf = (url: string) => string | undefined

/** Removes addresses that we would not keep and turns the others back by `linkOf`, in place. */
export function readdressTree(parent: Parents, linkOf: LinkOf): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    for (const key of Object.keys(child.properties)) readdressProperty(child.properties, key, linkOf)
    readdressTree(child, linkOf)
  }
}

function readdressProperty(properties: Properties, key: string, linkOf: LinkOf): void {
  const use = URL_PROPERTIES.get(key)
  if (use !== undefined) {
    const url = back(String(properties[key]), use, linkOf)
    if (url === undefined) delete properties[key]
    else properties[key] = url
  } else if (key === 'srcSet') {
    properties[key] = mapSrcset(String(properties[key]), (url) => back(url, 'resource', linkOf))
  }
}

function back(url: string, use: 'link' | 'resource', linkOf: LinkOf): string | undefined {
  const screened = screenUrl(url, use)
  if (screened.kind === 'remove') return undefined
  if (screened.kind === 'fragment') return url.trim()
  // Braces would be read by site builders, and a renderer encodes them anyway.
  return (linkOf(url.trim()) ?? url.trim()).replaceAll('{', '%7B').replaceAll('}', '%7D')
}

/** The ids that links of the tree lead to. */
function linkedIds(parent: Parents, found = new Set<string>()): Set<string> {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const href = child.properties['href']
    if (typeof href === 'string' && href.startsWith('#')) found.add(decodeAddress(href.slice(1)))
    linkedIds(child, found)
  }
  return found
}

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
