import { posix } from 'node:path'
import { articlePlaces, splitAddress } from '../../content/source/link-address.ts'
import { toHref } from '../../content/link-occurrences/decode-address.ts'
import type { LinkOccurrence } from '../../content/link-occurrences/link-occurrence.ts'
import { candidatePlaces, type SiteLinkOptions } from '../../content/site-links/link-places.ts'
import { screenUrl } from '../../content/markdown/screen-url.ts'
import type { FileTree } from './file-tree.ts'

/** Where an address leads. */
export type PlaceTarget =
  /** `isFolder`: the address names the folder of which the file is the page. */
  | { readonly kind: 'file'; readonly source: string; readonly isFolder: boolean }
  /** To the page that a tool makes of a folder; `isAddress`: as an address is read, not as a path. */
  | { readonly kind: 'folder'; readonly path: string; readonly isAddress: boolean }
  /** To a path where nothing is; it may lie above the content root. */
  | { readonly kind: 'nothing'; readonly path: string }

export type OccurringAddress = Pick<LinkOccurrence, 'kind' | 'form' | 'url'>

/** What an address in the file `from` leads to; undefined where it is no path of ours: full addresses, fragments. */
export function resolvePlace(place: OccurringAddress, from: string, tree: FileTree): PlaceTarget | undefined {
  const path = pathOf(place)
  if (path === undefined || path === '') return undefined
  const page = tree.site && isLink(place) ? siteFile(path, from, { ...tree, site: tree.site }) : undefined
  if (page !== undefined) return { kind: 'file', source: page, isFolder: false }
  const folder = tree.site && isLink(place) ? siteFolder(path, from, { ...tree, site: tree.site }) : undefined
  if (path.startsWith('/') && place.kind !== 'include' && !FROM_ROOT.test(path)) return folder
  const wanted = path.startsWith('/') ? posix.normalize(path.slice(1)) : posix.join(posix.dirname(from), path)
  const file = tree.find(wanted)
  if (file !== undefined) return { kind: 'file', source: file, isFolder: false }
  const folderPage = isLink(place) ? pageOf(wanted, tree) : undefined
  if (folderPage !== undefined) return { kind: 'file', source: folderPage, isFolder: true }
  return folder ?? { kind: 'nothing', path: wanted }
}

// Other addresses from the root are the site's own.
const FROM_ROOT = /\.md$|^\/_(?:categories|tags)\.yml$/

function pathOf(place: OccurringAddress): string | undefined {
  const { form, kind, url } = place
  if (kind === 'include') return url
  const isMarkdown = form === 'bare' || form === 'angle'
  if (screenUrl(url, kind === 'image' ? 'resource' : 'link').kind !== 'slot') return undefined
  return splitAddress(isMarkdown ? toHref(url) : url).path
}

function isLink({ kind }: OccurringAddress): boolean {
  return kind !== 'include' && kind !== 'image'
}

/** The folder that a link means in the site of a tool, as far as its address is that of its path. */
function siteFolder(
  path: string,
  from: string,
  tree: FileTree & { readonly site: SiteLinkOptions },
): PlaceTarget | undefined {
  if (tree.site.dialect.folders.pages === undefined || /\.mdx?$/.test(path)) return undefined
  const { routes, sources } = candidatePlaces(path, from, tree.site)
  const find = (folders: readonly string[]) => folders.flatMap((folder) => tree.findFolder(folder) ?? [])[0]
  const addressed = find(routes.map((route) => route.replaceAll(/^\/+|\/+$/g, '')))
  if (addressed !== undefined) return { kind: 'folder', path: addressed, isAddress: true }
  const pages = sources.filter((source) => FOLDER_PAGE.test(source))
  const named = find(pages.map((source) => posix.dirname(source))) ?? tree.findNamedFolder(path)
  return named === undefined ? undefined : { kind: 'folder', path: named, isAddress: false }
}

const FOLDER_PAGE = /\/_?index\.md$/

/** The article that a link means in the site of a tool. */
function siteFile(
  path: string,
  from: string,
  tree: FileTree & { readonly site: SiteLinkOptions },
): string | undefined {
  const placed = candidatePlaces(path, from, tree.site)
    .sources.flatMap((place) => tree.find(place) ?? [])
    .find((source) => tree.isArticle(source) || isFolderFile(source, path, tree.site))
  return placed ?? tree.findNamed(path, from)
}

/** Whether a link names the file that describes a folder and has a text. */
function isFolderFile(source: string, path: string, { dialect }: SiteLinkOptions): boolean {
  const { hasText, file } = dialect.folders
  return hasText === true && path.endsWith('.md') && file?.test(source) === true
}

function pageOf(wanted: string, tree: FileTree): string | undefined {
  return articlePlaces(wanted)
    .flatMap((place) => tree.find(place) ?? [])
    .find((source) => tree.isArticle(source))
}
