import type { Parents, Properties } from 'hast'
import { decodeFragment } from '../../markdown/anchors.ts'
import { screenUrl, URL_PROPERTIES } from '../../markdown/screen-url.ts'
import { mapSrcset } from '../../markdown/srcset.ts'

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
export function linkedIds(parent: Parents, found = new Set<string>()): Set<string> {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const href = child.properties['href']
    if (typeof href === 'string' && href.startsWith('#')) found.add(decodeFragment(href.slice(1)))
    linkedIds(child, found)
  }
  return found
}
