// Where an address leads, by the files there are. What is sent for it, and whether it is right, resolve-link.ts says;
// `kb mv` asks the same question of the files before and after a move.
import { posix } from 'node:path'
import type { AssetUse } from '../assets/asset-types.ts'
import type { FindExactly } from '../assets/find-exactly.ts'
import type { FoundFolder, SiteLinkResolver } from '../site-links/create-site-links.ts'
import { articleCandidates, joinSource, type LinkAddress, splitAddress } from '../source/link-address.ts'
import { type TaxonomyKind, taxonomyKindOf } from './resolve-taxonomy-link.ts'

/** All that decides where an address leads. */
export interface LinkFiles {
  /** By source in Unicode NFC. */
  readonly documents: { readonly has: (source: string) => boolean; readonly keys: () => Iterable<string> }
  /** Articles (by source in Unicode NFC) that have errors of their own: a link to one is not wrong for that. */
  readonly rejected: Pick<ReadonlySet<string>, 'has'>
  readonly findExactly: FindExactly
  /** Whether a source, as the file system has it, is a file and no folder. */
  readonly isFile: (source: string) => boolean
  /** Whether files that are no images have an address. */
  readonly publishesFiles: boolean
  /** Whether a path from the root on, decoded, is an address of the knowledge base. */
  readonly isOwnAddress: (path: string) => boolean
  /** Whether a folder became a category; asked of folders that `site` finds. */
  readonly isCategory: (folder: FoundFolder) => boolean
  /** Where the content is a tool's: how links lead to articles there. */
  readonly site?: SiteLinkResolver | undefined
}

/** The file that holds a link. */
export interface LinkOrigin {
  readonly source: string
  /** Language of the article; decides which translation of a category is meant. */
  readonly language: string
}

/** An address of the project. */
interface WrittenAddress {
  readonly kind: AssetUse
  /** As it stands in HTML: percent-encoded where Markdown wrote it, as written in raw HTML. */
  readonly url: string
}

export type FoundTarget =
  /** `source` in Unicode NFC; `isRejected`: of an article with errors of its own. `isFolder`: the address names its folder. */
  | {
      readonly kind: 'article'
      readonly source: string
      readonly isRejected: boolean
      readonly isFolder: boolean
    }
  /** A file that is shown, played or linked to. `onSite`: its path from the site's root on, where it has one. */
  | { readonly kind: 'asset'; readonly source: string; readonly suffix: string; readonly onSite?: string }
  /** A file that a link names and that is neither article nor published. */
  | { readonly kind: 'file'; readonly source: string }
  /** The page of a folder, which became a category. */
  | { readonly kind: 'folder'; readonly folder: FoundFolder }
  | { readonly kind: 'taxonomy'; readonly of: TaxonomyKind; readonly fragment: string | undefined }
  /** Another part of the site, at a path from its root on; `isMissing`: no folder of the site has the file. */
  | { readonly kind: 'site'; readonly path: string; readonly isMissing?: boolean }
  /** Nothing; `isOnSite`: an image that belongs into a folder of the site. */
  | { readonly kind: 'missing'; readonly source: string; readonly isOnSite: boolean }
  | { readonly kind: 'outside' }
  /** What a template of the site decides. */
  | { readonly kind: 'hook'; readonly name: string }
  /** Nothing can be said, and the address stays. */
  | { readonly kind: 'unknown' }

export function findTarget(written: WrittenAddress, origin: LinkOrigin, files: LinkFiles): FoundTarget {
  const address = splitAddress(written.url)
  const { path } = address
  if (path === '') return { kind: 'unknown' }
  const inSite = files.site && findInSite({ ...written, ...address }, origin, { ...files, site: files.site })
  if (inSite !== undefined) return inSite
  const wanted = joinSource(origin.source, path)
  if (path.startsWith('/') && !isOurs(path, wanted)) return { kind: 'site', path: written.url }
  if (wanted === undefined) return { kind: 'outside' }
  if (written.kind !== 'link') return { kind: 'asset', source: wanted, suffix: fragmentOf(address) }
  const of = taxonomyKindOf(wanted)
  if (of !== undefined) return { kind: 'taxonomy', of, fragment: address.fragment }
  return findFile(wanted, address, files)
}

/** An address from the site's root is the site's own affair, unless it names one of our files. */
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
  return files.publishesFiles && !wanted.endsWith('.md')
    ? { kind: 'asset', source: wanted, suffix }
    : { kind: 'file', source: wanted }
}

/** A part of a picture, or a time in a film; a query says nothing of a file. */
function fragmentOf({ suffix }: LinkAddress): string {
  const at = suffix.indexOf('#')
  return at === -1 ? '' : suffix.slice(at)
}

interface SiteFiles extends LinkFiles {
  readonly site: SiteLinkResolver
}

interface SiteAddress extends WrittenAddress, LinkAddress {}

/** What a link of the tool's site means; undefined where it is none of its own. */
function findInSite(
  written: SiteAddress,
  { source, language }: LinkOrigin,
  files: SiteFiles,
): FoundTarget | undefined {
  const { site } = files
  const path = written.path.startsWith('@site/') ? site.fromSite(written.path) : written.path
  if (path === undefined) return { kind: 'unknown' }
  if (written.kind !== 'link')
    return findRootAsset(path, written, files) ?? findRelativeAsset(path, written, source, files)
  const { sources } = site.places(path, source)
  return (
    findPage(path, { source, language }, files) ??
    findRootAsset(path, written, files) ??
    (leadsToSite(path, source, sources, files)
      ? { kind: 'site', path: sitePath(path, written, source, site) }
      : undefined) ??
    findRelativeAsset(path, written, source, files) ??
    findHook(path, source, files)
  )
}

/** The article, or the page of a folder, that a link of the site means. */
function findPage(
  path: string,
  { source: from, language }: LinkOrigin,
  { site, documents, rejected, isCategory }: SiteFiles,
): FoundTarget | undefined {
  const { sources, slugs } = site.places(path, from)
  const article = (source: string | undefined, isRejected = false): FoundTarget | undefined =>
    source === undefined ? undefined : { kind: 'article', source, isRejected, isFolder: false }
  const folder = (found: FoundFolder | undefined): FoundTarget | undefined =>
    found !== undefined && isCategory(found) ? { kind: 'folder', folder: found } : undefined
  const bySource = () => sources.find((place) => documents.has(place))
  const bySlug = () => slugs.map((slug) => site.findSlug(slug, language)).find((place) => place !== undefined)
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

/** Some tools make a page of every folder. */
function isSection(path: string, sources: readonly string[], { site, documents }: SiteFiles): boolean {
  if (site.dialect.folders.pages !== 'every' || /\.[^./]+$/.test(path)) return false
  return sources.some(
    (place) => place.endsWith('/_index.md') && holdsArticles(posix.dirname(place), documents),
  )
}

/** Whether articles lie below `folder`. */
export function holdsArticles(folder: string, documents: LinkFiles['documents']): boolean {
  const prefix = folder === '.' || folder === './' ? '' : folder.normalize('NFC').replace(/\/?$/, '/')
  return [...documents.keys()].some((source) => source.startsWith(prefix))
}

function sitePath(path: string, { url, suffix }: SiteAddress, from: string, site: SiteLinkResolver): string {
  return path.startsWith('/') ? url : `${encodeURI(site.pathFrom(path, from))}${suffix}`
}

function findRootAsset(path: string, written: SiteAddress, files: SiteFiles): FoundTarget | undefined {
  if (!path.startsWith('/') || written.path.startsWith('//') || /\.mdx?$/.test(path)) return undefined
  const { site, findExactly, isFile, publishesFiles, isOwnAddress } = files
  const { kind, url, suffix } = written
  const isAsWritten = path === written.path
  const onSite = isAsWritten ? url : `${encodeURI(path)}${suffix}`
  const places = site.rootFiles(path)
  const source =
    places.find((place) => findExactly(place).kind === 'found' && isFile(place)) ??
    places.find((place) => findExactly(place).kind === 'other-case')
  if (source !== undefined)
    return kind === 'link' && !publishesFiles
      ? { kind: 'site', path: onSite }
      : { kind: 'asset', source, suffix: kind === 'link' ? suffix : fragmentOf(written), onSite }
  if (kind === 'link' && isAsWritten) return undefined
  const [place] = places
  if (kind !== 'image' || !site.knowsFiles || place === undefined || isOwnAddress(path))
    return { kind: 'site', path: onSite }
  return site.needsImages
    ? { kind: 'missing', source: place, isOnSite: true }
    : { kind: 'site', path: onSite, isMissing: true }
}

function findRelativeAsset(
  path: string,
  written: SiteAddress,
  from: string,
  { site, findExactly, isFile, publishesFiles }: SiteFiles,
): FoundTarget | undefined {
  if (path.startsWith('/') || /\.mdx?$/.test(path)) return undefined
  const beside = joinSource(from, path)
  if (beside !== undefined && findExactly(beside).kind !== 'missing') return undefined
  const isThere = (place: string) => findExactly(place).kind === 'found' && isFile(place)
  const source = site.relativeFiles(path, from).find(isThere)
  if (source === undefined) return undefined
  if (written.kind !== 'link') return { kind: 'asset', source, suffix: fragmentOf(written) }
  return publishesFiles
    ? { kind: 'asset', source, suffix: written.suffix }
    : { kind: 'site', path: sitePath(path, written, from, site) }
}

function findHook(path: string, from: string, { site, isFile }: SiteFiles): FoundTarget | undefined {
  const wanted = joinSource(from, path)
  if (site.linkHook === undefined || path.startsWith('/') || (wanted !== undefined && isFile(wanted)))
    return undefined
  return { kind: 'hook', name: site.linkHook }
}
