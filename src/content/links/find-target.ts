// Finds the target of a link among the files. resolve-link.ts decides what is sent for it and whether it is correct;
// `kb mv` uses the same search with the files before and after a move.
import { posix } from 'node:path'
import { type AssetUse, isImageUse } from '../assets/asset-types.ts'
import type { FindExactly } from '../assets/find-assets.ts'
import { slugOfRoute } from '../preset/site-path.ts'
import type { FoundFolder, SiteLinkResolver } from '../site-links/create-site-links.ts'
import { firstFound, type LinkCandidates } from '../site-links/link-candidates.ts'
import type { SourceIndex } from '../source/source-index.ts'
import { articleCandidates } from '../source/folder-files.ts'
import { joinSource, type LinkAddress, splitAddress } from '../source/link-address.ts'
import { type TaxonomyKind, taxonomyKindOf } from './resolve-taxonomy-link.ts'

/** Everything that determines the target of a link. */
export interface LinkFiles {
  /** By source in Unicode NFC. */
  readonly documents: { readonly has: (source: string) => boolean }
  /** The sources of all documents. */
  readonly sources: () => SourceIndex
  /** Articles (by source in Unicode NFC) that have errors themselves. A link to one is not an error. */
  readonly rejected: Pick<ReadonlySet<string>, 'has'>
  readonly findExactly: FindExactly
  /** True if a source, as spelled on disk, is a file. */
  readonly isFile: (source: string) => boolean
  /** True if a file that is not an article has a URL to link to. */
  readonly publishes: (source: string) => boolean
  /** Recognises a decoded root-relative path as a URL of the knowledge base. */
  readonly findOwnAddress: (path: string) => OwnAddress | undefined
  /** True if a folder became a category. Called with folders found by `site`. */
  readonly isCategory: (folder: FoundFolder) => boolean
  /** Resolves links in the content of another tool. */
  readonly site?: SiteLinkResolver | undefined
}

/** `unlisted`: nothing has the URL, only `others` in its folder. */
export type OwnAddress =
  | { readonly kind: 'listed' }
  | { readonly kind: 'unlisted'; readonly others: () => readonly string[] }

/** The file that contains a link. */
export interface LinkOrigin {
  readonly source: string
  /** Language of the article, which selects the translation of a category. */
  readonly language: string
}

/** A URL in the content. */
export interface WrittenAddress {
  readonly kind: AssetUse
  /** As in HTML: percent-encoded if it comes from Markdown, as written if it comes from raw HTML. */
  readonly url: string
}

export type FoundTarget =
  /** `source` in Unicode NFC. `isRejected`: the article has errors. `isFolder`: the URL names its folder. */
  | {
      readonly kind: 'article'
      readonly source: string
      readonly isRejected: boolean
      readonly isFolder: boolean
    }
  /** A file that is shown, played or linked. `onSite`: its root-relative path in the site, if it has one. */
  | { readonly kind: 'asset'; readonly source: string; readonly suffix: string; readonly onSite?: string }
  /** A linked file that is neither an article nor published. */
  | { readonly kind: 'file'; readonly source: string }
  /** The page of a folder that became a category. */
  | { readonly kind: 'folder'; readonly folder: FoundFolder }
  | { readonly kind: 'taxonomy'; readonly of: TaxonomyKind; readonly fragment: string | undefined }
  /** Another part of the site, by its root-relative path. `isMissing`: no folder of the site contains the file. */
  | { readonly kind: 'site'; readonly path: string; readonly isMissing?: boolean }
  /** A missing file. `isOnSite`: an image that must be in a folder of the site. */
  | { readonly kind: 'missing'; readonly source: string; readonly isOnSite: boolean }
  | { readonly kind: 'outside' }
  /** A template of the site determines the target. */
  | { readonly kind: 'hook'; readonly name: string }
  /** Unknown; the URL is left unchanged. */
  | { readonly kind: 'unknown' }

export function findTarget(written: WrittenAddress, origin: LinkOrigin, files: LinkFiles): FoundTarget {
  const address = splitAddress(written.url)
  const { path } = address
  if (path === '') return { kind: 'unknown' }
  const inSite = hasSite(files) ? findInSite({ ...written, ...address }, origin, files) : undefined
  if (inSite !== undefined) return inSite
  const wanted = joinSource(origin.source, path)
  if (path.startsWith('/') && !isOurs(path, wanted)) return { kind: 'site', path: written.url }
  if (wanted === undefined) return { kind: 'outside' }
  if (written.kind !== 'link') return { kind: 'asset', source: wanted, suffix: fragmentOf(address) }
  const of = taxonomyKindOf(wanted)
  if (of !== undefined) return { kind: 'taxonomy', of, fragment: address.fragment }
  return findFile(wanted, address, files)
}

/** A root-relative URL belongs to the site, unless it names a Markdown or taxonomy file. */
function isOurs(path: string, wanted: string | undefined): boolean {
  return path.endsWith('.md') || (wanted !== undefined && taxonomyKindOf(wanted) !== undefined)
}

function findFile(wanted: string, { suffix }: LinkAddress, files: LinkFiles): FoundTarget {
  const places = articleCandidates(wanted)
  for (const known of [files.documents, files.rejected]) {
    const index = places.findIndex((place) => known.has(place))
    const source = places[index]
    if (source !== undefined)
      return { kind: 'article', source, isRejected: known === files.rejected, isFolder: index > 0 }
  }
  const found = files.findExactly(wanted)
  if (found.kind !== 'found' || wanted.endsWith('/') || !files.isFile(found.source))
    return { kind: 'missing', source: wanted, isOnSite: false }
  return files.publishes(wanted)
    ? { kind: 'asset', source: wanted, suffix }
    : { kind: 'file', source: wanted }
}

/** Returns the fragment, which selects a part of a picture or a time in a video. A query has no meaning for a file. */
function fragmentOf({ suffix }: LinkAddress): string {
  const at = suffix.indexOf('#')
  return at === -1 ? '' : suffix.slice(at)
}

interface SiteFiles extends LinkFiles {
  readonly site: SiteLinkResolver
}

function hasSite(files: LinkFiles): files is SiteFiles {
  return files.site !== undefined
}

interface SiteAddress extends WrittenAddress, LinkAddress {}

/** Returns the target of a link within the tool's site, or undefined if it is not such a link. */
function findInSite(written: SiteAddress, origin: LinkOrigin, files: SiteFiles): FoundTarget | undefined {
  const { source } = origin
  const { site } = files
  const path = written.path.startsWith('@site/') ? site.fromSite(written.path) : written.path
  if (path === undefined) return { kind: 'unknown' }
  if (written.kind !== 'link')
    return findRootAsset(path, written, files) ?? findRelativeAsset(path, written, source, files)
  // Most links are relative paths of Markdown files. If that file is an article, no other candidate matters.
  const near = /^[^/].*\.mdx?$/s.test(path) ? joinSource(source, path)?.normalize('NFC') : undefined
  if (near !== undefined && !site.isElsewhere(source) && files.documents.has(near))
    return { kind: 'article', source: near, isRejected: false, isFolder: false }
  const beside = site.fileBeside(path, source)
  if (beside !== undefined && files.isFile(beside) && files.publishes(beside))
    return { kind: 'asset', source: beside, suffix: written.suffix }
  const places = site.places(path, source)
  const { sources } = places
  return (
    findPage(path, places, origin, files) ??
    findRootAsset(path, written, files) ??
    (leadsToSite(path, source, sources, files)
      ? { kind: 'site', path: sitePath(path, written, source, site) }
      : undefined) ??
    findRelativeAsset(path, written, source, files) ??
    findHook(path, source, files)
  )
}

/** Returns the article, or the page of a folder, that a link in the site refers to. */
function findPage(
  path: string,
  { sources, routes, rootRoutes }: LinkCandidates,
  { source: from, language }: LinkOrigin,
  { site, documents, rejected, isCategory }: SiteFiles,
): FoundTarget | undefined {
  const article = (source: string | undefined, isRejected = false): FoundTarget | undefined =>
    source === undefined ? undefined : { kind: 'article', source, isRejected, isFolder: false }
  const folder = (found: FoundFolder | undefined): FoundTarget | undefined =>
    found !== undefined && isCategory(found) ? { kind: 'folder', folder: found } : undefined
  const bySource = () => sources.find((place) => documents.has(place))
  const bySlug = () =>
    firstFound([...routes, ...rootRoutes], (route) => site.findSlug(slugOfRoute(route), language))
  const direct = site.isElsewhere(from) ? (bySlug() ?? bySource()) : (bySource() ?? bySlug())
  if (direct !== undefined) return article(direct)
  const faulty = sources.find((place) => rejected.has(place))
  return (
    (faulty === undefined ? folder(site.findFolder(path, from, language)) : undefined) ??
    article(site.findNamed(path, language)) ??
    article(faulty, true) ??
    folder(site.findNamedFolder(path, language))
  )
}

function leadsToSite(path: string, from: string, sources: readonly string[], files: SiteFiles): boolean {
  const { site } = files
  return (
    sources.some((place) => site.isPage(place) && files.isFile(place)) ||
    isSection(path, sources, files) ||
    (!/\.mdx?$/.test(path) && !path.startsWith('/') && joinSource(from, path) === undefined) ||
    (!path.startsWith('/') && site.isOtherVersion(path, from))
  )
}

/** Returns true for a folder in a tool that creates a page for every folder. */
function isSection(path: string, places: readonly string[], { site, sources }: SiteFiles): boolean {
  if (site.dialect.folders.pages !== 'every' || /\.[^./]+$/.test(path)) return false
  return places.some((place) => place.endsWith('/_index.md') && sources().holds(posix.dirname(place)))
}

function sitePath(path: string, { url, suffix }: SiteAddress, from: string, site: SiteLinkResolver): string {
  return path.startsWith('/') ? url : `${encodeURI(site.pathFrom(path, from))}${suffix}`
}

function findRootAsset(path: string, written: SiteAddress, files: SiteFiles): FoundTarget | undefined {
  if (!path.startsWith('/') || written.path.startsWith('//') || /\.mdx?$/.test(path)) return undefined
  const { site, findExactly, isFile, publishes, findOwnAddress } = files
  const { kind, url, suffix } = written
  const isAsWritten = path === written.path
  const onSite = isAsWritten ? url : `${encodeURI(path)}${suffix}`
  const places = site.rootFiles(path)
  const source =
    places.find((place) => findExactly(place).kind === 'found' && isFile(place)) ??
    places.find((place) => findExactly(place).kind === 'other-case')
  if (source !== undefined)
    return kind === 'link' && !publishes(source)
      ? { kind: 'site', path: onSite }
      : { kind: 'asset', source, suffix: kind === 'link' ? suffix : fragmentOf(written), onSite }
  if (kind === 'link' && isAsWritten) return undefined
  const [place] = places
  if (!isImageUse(kind) || !site.knowsFiles || place === undefined || findOwnAddress(path) !== undefined)
    return { kind: 'site', path: onSite }
  return site.needsImages
    ? { kind: 'missing', source: place, isOnSite: true }
    : { kind: 'site', path: onSite, isMissing: true }
}

function findRelativeAsset(
  path: string,
  written: SiteAddress,
  from: string,
  { site, findExactly, isFile, publishes }: SiteFiles,
): FoundTarget | undefined {
  if (path.startsWith('/') || /\.mdx?$/.test(path)) return undefined
  // Without a site, a file that is not published has no URL, and its name alone is enough, in any case.
  const isByName = site.dialect.links.areFoundByName === 'first'
  const fileAt = (place: string): string | undefined => {
    const found = findExactly(place)
    const isFound = found.kind === 'found' || (found.kind === 'other-case' && isByName)
    return isFound && isFile(found.source) ? found.source : undefined
  }
  const within = joinSource(from, path)
  const isWithin = within !== undefined && findExactly(within).kind !== 'missing'
  if (isWithin && !(isByName && findExactly(within).kind === 'other-case')) return undefined
  const beside = isImageUse(written.kind) ? site.fileBeside(path, from) : undefined
  if (beside !== undefined) return { kind: 'asset', source: beside, suffix: fragmentOf(written) }
  const source = firstFound([...(isWithin ? [within] : []), ...site.relativeFiles(path, from)], fileAt)
  if (source === undefined) return undefined
  if (written.kind !== 'link') return { kind: 'asset', source, suffix: fragmentOf(written) }
  if (publishes(source)) return { kind: 'asset', source, suffix: written.suffix }
  return isByName ? { kind: 'file', source } : { kind: 'site', path: sitePath(path, written, from, site) }
}

function findHook(path: string, from: string, { site, isFile }: SiteFiles): FoundTarget | undefined {
  if (site.linkHook === undefined || path.startsWith('/')) return undefined
  const wanted = joinSource(from, path)
  return wanted !== undefined && isFile(wanted) ? undefined : { kind: 'hook', name: site.linkHook }
}
