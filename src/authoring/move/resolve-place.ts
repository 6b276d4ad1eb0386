import { posix } from 'node:path'
import { articlePlaces, splitAddress } from '../../content/link-address.ts'
import { toHref } from '../../content/link-places/decode-address.ts'
import type { LinkPlace } from '../../content/link-places/link-place.ts'
import { linkPlaces, type SiteLinkOptions } from '../../content/site-links/link-places.ts'
import { screenUrl } from '../../content/markdown/screen-url.ts'
import type { FileTree } from './file-tree.ts'

/** Where an address leads. */
export type PlaceTarget =
  /** `isFolder`: the address names the folder of which the file is the page. */
  | { readonly kind: 'file'; readonly source: string; readonly isFolder: boolean }
  /** To a path where nothing is; it may lie above the content root. */
  | { readonly kind: 'nothing'; readonly path: string }

export type Address = Pick<LinkPlace, 'kind' | 'form' | 'url'>

/** What an address in the file `from` leads to; undefined where it is no path of ours: full addresses, fragments. */
export function resolvePlace(place: Address, from: string, tree: FileTree): PlaceTarget | undefined {
  const path = pathOf(place)
  if (path === undefined || path === '') return undefined
  const page = tree.site && isLink(place) ? siteFile(path, from, { ...tree, site: tree.site }) : undefined
  if (page !== undefined) return { kind: 'file', source: page, isFolder: false }
  if (path.startsWith('/') && place.kind !== 'include' && !FROM_ROOT.test(path)) return undefined
  const wanted = path.startsWith('/') ? posix.normalize(path.slice(1)) : posix.join(posix.dirname(from), path)
  const file = tree.find(wanted)
  if (file !== undefined) return { kind: 'file', source: file, isFolder: false }
  const folderPage = isLink(place) ? pageOf(wanted, tree) : undefined
  return folderPage === undefined
    ? { kind: 'nothing', path: wanted }
    : { kind: 'file', source: folderPage, isFolder: true }
}

// Other addresses from the root are the site's own.
const FROM_ROOT = /\.md$|^\/_(?:categories|tags)\.yml$/

function pathOf(place: Address): string | undefined {
  const { form, kind, url } = place
  if (kind === 'include') return url
  const isMarkdown = form === 'bare' || form === 'angle'
  if (screenUrl(url, kind === 'image' ? 'resource' : 'link').kind !== 'slot') return undefined
  return splitAddress(isMarkdown ? toHref(url) : url).path
}

function isLink({ kind }: Address): boolean {
  return kind !== 'include' && kind !== 'image'
}

/** The article that a link means in the site of a tool. */
function siteFile(
  path: string,
  from: string,
  tree: FileTree & { readonly site: SiteLinkOptions },
): string | undefined {
  const placed = linkPlaces(path, from, tree.site)
    .sources.flatMap((place) => tree.find(place) ?? [])
    .find((source) => tree.isArticle(source))
  return placed ?? tree.findNamed(path, from)
}

function pageOf(wanted: string, tree: FileTree): string | undefined {
  return articlePlaces(wanted)
    .flatMap((place) => tree.find(place) ?? [])
    .find((source) => tree.isArticle(source))
}
