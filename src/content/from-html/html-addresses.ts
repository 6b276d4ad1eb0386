import GithubSlugger from 'github-slugger'
import type { Element, ElementContent, Parents, Properties, Root } from 'hast'
import { decodeAddress } from '../source/link-address.ts'
import { textOf } from '../markdown/plain-text.ts'
import { screenUrl, URL_PROPERTIES, mapSrcset } from '../markdown/screen-url.ts'

/** Converts a URL on the target to a link destination as an author would write it; undefined leaves it unchanged. */
export type LinkOf = (url: string) => string | undefined

/** Removes disallowed URLs and converts the others with `linkOf`, in place. */
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
  // Site builders would interpret braces, and a renderer encodes them anyway.
  return (linkOf(url.trim()) ?? url.trim()).replaceAll('{', '%7B').replaceAll('}', '%7D')
}

/** Returns the ids that links in the tree use. */
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
 * Removes ids, in place. An id used by a link of the article becomes an empty anchor before the content, unless the
 * heading gets the same id from its text.
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

/** Returns true for an `a` without `href`, which only marks a position. */
export function isAnchor({ tagName, properties }: Element): boolean {
  if (tagName !== 'a' || properties['href'] !== undefined) return false
  return properties['id'] !== undefined || properties['name'] !== undefined
}

// Elements that must start with certain child elements.
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
const EMPTY = new Set(['br', 'hr', 'img', 'input', 'col', 'source', 'track', 'wbr'])

function anchorIn(element: Element, id: string): void {
  if (EMPTY.has(element.tagName)) return
  const first = element.children.find((child): child is Element => child.type === 'element')
  if (HOLDERS.has(element.tagName) && first !== undefined && element.tagName !== 'pre')
    return anchorIn(first, id)
  const anchor: ElementContent = { type: 'element', tagName: 'a', properties: { id }, children: [] }
  element.children.unshift(anchor)
}
