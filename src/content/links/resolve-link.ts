import { posix } from 'node:path'
import type { Problem } from '../../core/model/diagnostic.ts'
import type { Document } from '../../core/model/document.ts'
import { nearest } from '../../core/nearest.ts'
import { type AssetUse, fitsUse } from '../assets/asset-types.ts'
import { missing, shownSource } from '../assets/asset-problems.ts'
import type { AssetReader } from '../assets/create-asset-reader.ts'
import type { FindExactly } from '../assets/find-exactly.ts'
import {
  articlePlaces,
  decodeAddress,
  joinSource,
  type LinkAddress,
  splitAddress,
} from '../source/link-address.ts'
import { type AnchorIndex, decodeFragment, encodeAnchor } from '../markdown/anchors.ts'
import type { Slot } from '../markdown/rendered-body.ts'
import { nearestSource } from '../source/nearest-source.ts'
import type { FoundFolder, SiteLinkResolver } from '../site-links/create-site-links.ts'
import type { Complaint, LinkResolution, LinkOrigin, ResolvedLink } from './resolved-link.ts'
import {
  resolveCategory,
  resolveTaxonomyLink,
  taxonomyKindOf,
  type TaxonomyLinks,
} from './resolve-taxonomy-link.ts'

/** All that a link may be resolved against. */
export interface LinkContext {
  /** By source in Unicode NFC. */
  readonly documents: Pick<ReadonlyMap<string, Document>, 'get' | 'has' | 'keys'>
  /** Articles (by source in Unicode NFC) that have errors of their own: a link to one is not wrong for that. */
  readonly rejected: Pick<ReadonlySet<string>, 'has'>
  /** Their last good versions, as far as there are any: links lead to them without a word. */
  readonly lastGood: ReadonlyMap<string, Document>
  readonly urlOf: (document: Document) => string
  readonly anchorsOf: (document: Document) => {
    readonly anchors: readonly string[]
    readonly index: AnchorIndex
  }
  readonly taxonomy: TaxonomyLinks
  readonly assets: AssetReader
  readonly findExactly: FindExactly
  /** Whether a source, as the file system has it, is a file and no folder. */
  readonly isFile: (source: string) => boolean
  /** Whether files that are no images have an address. */
  readonly publishesFiles: boolean
  /** Address of the site that addresses from the root belong to, without a slash at its end. */
  readonly siteUrl?: string | undefined
  /** Whether a path from the root on, decoded, is an address of the knowledge base. */
  readonly isOwnAddress: (path: string) => boolean
  /** Where the content is a tool's: how links lead to articles there. */
  readonly site?: SiteLinkResolver | undefined
}

/** Resolves one relative address to the address that is sent; in an included file, from that file on. */
export function resolveLink(slot: Slot, origin: LinkOrigin, context: LinkContext): ResolvedLink {
  const from = { ...origin, source: slot.source ?? origin.source }
  const ofPage =
    from.source !== origin.source && context.site?.dialect.links.beginAtIncluder === true
      ? findLink(slot, origin, context)
      : undefined
  const found = ofPage?.kind === 'url' ? ofPage : findLink(slot, from, context)
  switch (found.kind) {
    case 'unknown':
      return { kind: 'url', url: slot.url }
    case 'site':
      return resolveSiteAddress(slot, found.path, context, found.isMissing)
    case 'problem': {
      const { to } = found
      return { kind: 'problem', problem: placed(found, slot), ...(to && { to }) }
    }
    case 'url': {
      const { complaint, ...link } = found
      return complaint === undefined ? link : { ...link, problem: placed(complaint, slot) }
    }
  }
}

/** What leads to another part of the site has an address where the configuration says the site's. */
export function resolveSiteAddress(
  slot: Slot,
  path: string,
  context: Pick<LinkContext, 'siteUrl' | 'isOwnAddress'>,
  isMissing = false,
): ResolvedLink {
  const { siteUrl, isOwnAddress } = context
  // An alias is no address anywhere; everything else is sent as it stands.
  const sent = slot.url.startsWith('@site/') ? path : slot.url
  if (isOwnAddress(decodeAddress(path.replace(/[?#].*$/s, '')))) return { kind: 'url', url: sent }
  if (siteUrl !== undefined) {
    const whole = { kind: 'url', url: addressIn(siteUrl, path), to: { kind: 'site' } } as const
    return isMissing ? { ...whole, problem: placed(missingInSite(slot), slot) } : whole
  }
  const complaint = {
    code: 'site-address',
    message: `"${slot.url}" is an address of the site and is sent as it is: where the knowledge base has another host, it leads nowhere.`,
    hint: 'Set siteUrl to the address of the site; where both share a host, turn this rule off.',
  } as const
  return { kind: 'url', url: sent, problem: placed(complaint, slot) }
}

function missingInSite(slot: Slot): Complaint {
  return {
    code: 'site-address',
    message: `No folder of the site has "${slot.url}"; it is sent with siteUrl before it.`,
    hint: 'Correct the address, or add the file; where something else answers there, turn this rule off.',
  }
}

/** Of a site in a folder of its host, some tools take addresses with that folder and some without. */
function addressIn(siteUrl: string, path: string): string {
  const base = new URL(siteUrl).pathname.replace(/\/$/, '')
  const isWhole = path === base || path.startsWith(`${base}/`)
  return `${siteUrl.slice(0, isWhole ? siteUrl.length - base.length : undefined)}${path}`
}

function findLink(slot: Slot, origin: LinkOrigin, context: LinkContext): LinkResolution {
  const address = splitAddress(slot.url)
  const { path } = address
  if (path === '') return { kind: 'unknown' }
  const inSite = context.site && findInSite(slot, address, origin, { ...context, site: context.site })
  if (inSite !== undefined) return inSite
  const wanted = joinSource(origin.source, path)
  if (path.startsWith('/') && !isOurs(path, wanted)) return { kind: 'site', path: slot.url }
  if (wanted === undefined) {
    return problem(
      'link-outside',
      `"${slot.url}" leaves the content folder.`,
      'Link to files inside it, or by full address.',
    )
  }
  if (slot.kind !== 'link') return resolveAsset(wanted, slot.kind, fragmentOf(address), context)
  const taxonomyKind = taxonomyKindOf(wanted)
  if (taxonomyKind !== undefined)
    return resolveTaxonomyLink(taxonomyKind, address.fragment, origin.language, context.taxonomy)
  return resolveFile({ written: slot.url, wanted, address }, origin, context)
}

/** What a link of the tool's site means; undefined where it is none of its own. */
function findInSite(
  slot: Slot,
  address: LinkAddress,
  { source, language }: LinkOrigin,
  context: LinkContext & { readonly site: SiteLinkResolver },
): LinkResolution | undefined {
  const { site } = context
  const path = address.path.startsWith('@site/') ? site.fromSite(address.path) : address.path
  if (path === undefined) return { kind: 'unknown' }
  if (slot.kind !== 'link')
    return (
      findSiteAsset(path, slot, address, context) ??
      findRelativeAsset(path, slot, { address, source }, context)
    )
  const { sources, slugs } = site.places(path, source)
  const bySource = () => sources.find((place) => context.documents.has(place))
  const bySlug = () => slugs.map((slug) => site.findSlug(slug, language)).find((place) => place !== undefined)
  const direct = site.isElsewhere(source) ? (bySlug() ?? bySource()) : (bySource() ?? bySlug())
  const rejected = direct === undefined ? sources.find((place) => context.rejected.has(place)) : undefined
  const isFree = direct === undefined && rejected === undefined
  const folder = isFree ? resolveFolder(site.findFolder(path, source, language), context) : undefined
  if (folder !== undefined) return folder
  const found = direct ?? site.findNamed(path, language)
  const target = found === undefined ? undefined : context.documents.get(found)
  if (target !== undefined) return resolveFragment(target, address, context)
  if (rejected !== undefined) return resolveRejected(rejected, address, context)
  const named = resolveFolder(site.findNamedFolder(path, language), context)
  if (named !== undefined) return named
  const file = findSiteAsset(path, slot, address, context)
  if (file !== undefined) return file
  const isPage = sources.some((place) => site.isPage(place) && context.isFile(place))
  const isOfSite =
    isPage ||
    isSection(path, source, context) ||
    leavesContent(path, source) ||
    (!path.startsWith('/') && site.isOtherVersion(path, source))
  if (isOfSite) return { kind: 'site', path: sitePath(path, slot, { address, source }, site) }
  const relative = findRelativeAsset(path, slot, { address, source }, context)
  return relative ?? hookFinding(path, slot, { address, source }, context)
}

/** An address of the file `source`. */
interface AddressIn {
  readonly address: LinkAddress
  readonly source: string
}

function sitePath(path: string, slot: Slot, { address, source }: AddressIn, site: SiteLinkResolver): string {
  return path.startsWith('/') ? slot.url : `${encodeURI(site.pathFrom(path, source))}${address.suffix}`
}

/** What a relative path means from the address of its page on, or in the folders that render hooks look into. */
function findRelativeAsset(
  path: string,
  slot: Slot,
  { address, source }: AddressIn,
  context: LinkContext & { readonly site: SiteLinkResolver },
): LinkResolution | undefined {
  if (path.startsWith('/') || /\.mdx?$/.test(path)) return undefined
  const { site, findExactly, isFile } = context
  const beside = joinSource(source, path)
  const isThere = (place: string) => findExactly(place).kind === 'found' && isFile(place)
  if (beside !== undefined && findExactly(beside).kind !== 'missing') return undefined
  const found = site.relativeFiles(path, source).find(isThere)
  if (found === undefined) return undefined
  const elsewhere = { kind: 'site', path: sitePath(path, slot, { address, source }, site) } as const
  if (slot.kind === 'link' && !context.publishesFiles) return elsewhere
  return resolveAsset(found, slot.kind, slot.kind === 'link' ? address.suffix : fragmentOf(address), context)
}

/** What a template of the site makes of a link that leads to no file, only the tool knows. */
function hookFinding(
  path: string,
  slot: Slot,
  { source }: AddressIn,
  { site, isFile }: LinkContext & { readonly site: SiteLinkResolver },
): LinkResolution | undefined {
  const wanted = joinSource(source, path)
  if (site.linkHook === undefined || path.startsWith('/') || (wanted !== undefined && isFile(wanted)))
    return undefined
  const complaint = {
    code: 'site-address',
    message: `"${slot.url}" leads to no file; what ${site.linkHook} makes of it is not known, and it is sent as it is.`,
    hint: 'Link to the path of a file, or by a full address.',
  } as const
  return { kind: 'url', url: slot.url, complaint }
}

/** The category that a folder became: of the page that lists the folder, nothing else is sent. */
function resolveFolder(found: FoundFolder | undefined, context: LinkContext): LinkResolution | undefined {
  if (found === undefined || (found.file !== undefined && !context.isFile(found.file))) return undefined
  return resolveCategory(found.category, found.language, context.taxonomy)
}

/** Some tools make a page of every folder. */
function isSection(
  path: string,
  from: string,
  context: LinkContext & { readonly site: SiteLinkResolver },
): boolean {
  if (context.site.dialect.folders.pages !== 'every' || /\.[^./]+$/.test(path)) return false
  const { sources } = context.site.places(path, from)
  return sources.some((place) => place.endsWith('/_index.md') && isFolder(posix.dirname(place), context))
}

/** Addresses may lead to other parts of the site, which are no files of ours. */
function leavesContent(path: string, from: string): boolean {
  return !/\.mdx?$/.test(path) && !path.startsWith('/') && joinSource(from, path) === undefined
}

/** What lies in a folder whose files have an address from the site's root on. */
function findSiteAsset(
  path: string,
  slot: Slot,
  address: LinkAddress,
  context: LinkContext & { readonly site: SiteLinkResolver },
): LinkResolution | undefined {
  if (!path.startsWith('/') || address.path.startsWith('//') || /\.mdx?$/.test(path)) return undefined
  const isAsWritten = path === address.path
  const elsewhere = {
    kind: 'site',
    path: isAsWritten ? slot.url : `${encodeURI(path)}${address.suffix}`,
  } as const
  const source = findRootFile(path, context)
  if (source === undefined)
    return slot.kind !== 'link' || !isAsWritten ? missingOf(path, slot, elsewhere, context) : undefined
  if (slot.kind === 'link' && !context.publishesFiles) return elsewhere
  const suffix = slot.kind === 'link' ? address.suffix : fragmentOf(address)
  const asset = resolveAsset(source, slot.kind, suffix, context)
  // What cannot travel is where the site has it.
  if (asset.kind !== 'problem' || asset.code === 'asset-missing') return asset
  return context.siteUrl === undefined ? { ...asset, hint: `${asset.hint} ${WITH_SITE_URL}` } : elsewhere
}

const WITH_SITE_URL = 'With siteUrl, the address on the site is sent.'

function findRootFile(
  path: string,
  { site, findExactly, isFile }: LinkContext & { readonly site: SiteLinkResolver },
) {
  const places = site.rootFiles(path)
  return (
    places.find((place) => findExactly(place).kind === 'found' && isFile(place)) ??
    places.find((place) => findExactly(place).kind === 'other-case')
  )
}

function missingOf(
  path: string,
  slot: Slot,
  elsewhere: Extract<LinkResolution, { readonly kind: 'site' }>,
  context: LinkContext & { readonly site: SiteLinkResolver },
): LinkResolution {
  const { site } = context
  const [place] = site.rootFiles(path)
  if (slot.kind !== 'image' || !site.knowsFiles || place === undefined) return elsewhere
  if (context.isOwnAddress(path)) return elsewhere
  if (!site.needsImages) return { ...elsewhere, isMissing: true }
  const { message } = missing(shownSource(place), 'image')
  return problem(
    'asset-missing',
    message,
    'Addresses from the root begin in that folder: correct this one, or add the image.',
  )
}

/** An address from the site's root is the site's own affair, unless it names one of our files. */
function isOurs(path: string, wanted: string | undefined): boolean {
  return path.endsWith('.md') || (wanted !== undefined && taxonomyKindOf(wanted) !== undefined)
}

/** A link to a file. */
interface FileLink {
  readonly written: string
  /** The source it names. */
  readonly wanted: string
  readonly address: LinkAddress
}

function resolveFile(link: FileLink, origin: LinkOrigin, context: LinkContext): LinkResolution {
  const places = articlePlaces(link.wanted)
  for (const place of places) {
    const target = context.documents.get(place)
    if (target !== undefined) return resolveFragment(target, link.address, context)
  }
  const rejected = places.find((place) => context.rejected.has(place))
  if (rejected !== undefined) return resolveRejected(rejected, link.address, context)
  const found = context.findExactly(link.wanted)
  const isFile = found.kind === 'found' && !link.wanted.endsWith('/') && context.isFile(found.source)
  if (!isFile) return missingFile(link, origin, context)
  if (context.publishesFiles && !link.wanted.endsWith('.md'))
    return resolveAsset(link.wanted, 'link', link.address.suffix, context)
  const hint = context.publishesFiles
    ? 'It is left out by include, exclude or a name that begins with _ or a dot.'
    : 'Only articles and images travel: set assets.baseUrl to publish other files, or link by full address.'
  return problem('link-not-article', `"${link.written}" is a file but not an article.`, hint)
}

function resolveAsset(
  source: string,
  use: AssetUse,
  suffix: string,
  { assets }: LinkContext,
): LinkResolution {
  const asset = assets.read(source, use)
  if (asset.kind === 'problem') return { kind: 'problem', ...asset.problem, to: { kind: 'asset', source } }
  const { url, warning: complaint } = asset
  const to = { kind: 'asset', source: asset.source } as const
  // What is sent inside the article is recognised by its whole address when it comes back.
  const whole = url.startsWith('data:') ? url : `${url}${suffix}`
  return { kind: 'url', url: whole, to, ...(complaint && { complaint }) }
}

/** A part of a picture, or a time in a film; a query says nothing of a file. */
function fragmentOf({ suffix }: LinkAddress): string {
  const at = suffix.indexOf('#')
  return at === -1 ? '' : suffix.slice(at)
}

function missingFile(
  { written, wanted }: FileLink,
  { source }: LinkOrigin,
  context: LinkContext,
): LinkResolution {
  if (isFolder(wanted, context)) {
    const hint = 'Link to one of its articles, or give the folder an index.md.'
    return problem('link-file-missing', `The folder "${written}" has no index.md or README.md.`, hint)
  }
  const isFile = context.publishesFiles && fitsUse(wanted, 'link')
  const meant = findMeant(wanted, context)
  const hint =
    meant === undefined
      ? hintForMissing(wanted, isFile)
      : `Did you mean ${posix.relative(posix.dirname(source), meant)}?`
  return problem('link-file-missing', `There is no ${isFile ? 'file' : 'article'} "${wanted}".`, hint)
}

function hintForMissing(wanted: string, isFile: boolean): string {
  if (isFile) return 'The path is relative to this file, with / and exact upper and lower case.'
  return wanted.endsWith('.md')
    ? 'The path is relative to this file: correct it, or write that article.'
    : 'Link to an article by its path, relative to this file, and to anything else by its full address.'
}

/** The file that a path without `.md`, with a typo or in other letter case stands for, perhaps. */
function findMeant(wanted: string, { documents, findExactly }: LinkContext): string | undefined {
  const withEnding = `${wanted}.md`.normalize('NFC')
  if (documents.has(withEnding)) return withEnding
  const found = findExactly(wanted)
  if (found.kind === 'other-case') return found.source
  return nearestSource(wanted, [...documents.keys()])
}

/** Whether articles lie below `wanted`. */
function isFolder(wanted: string, { documents }: LinkContext): boolean {
  const folder = wanted === '.' || wanted === './' ? '' : wanted.normalize('NFC').replace(/\/?$/, '/')
  return [...documents.keys()].some((source) => source.startsWith(folder))
}

/** What its text is about to be, nobody knows: so nothing is said of the link. */
function resolveRejected(place: string, address: LinkAddress, context: LinkContext): LinkResolution {
  const target = context.lastGood.get(place)
  if (target === undefined) return { kind: 'unknown' }
  const { url } = resolveFragment(target, address, context)
  return { kind: 'url', url }
}

function resolveFragment(
  target: Document,
  { suffix, fragment }: LinkAddress,
  context: LinkContext,
): Extract<LinkResolution, { readonly kind: 'url' }> {
  const url = context.urlOf(target)
  const to = { kind: 'article', document: target } as const
  if (fragment === undefined || fragment === '') return { kind: 'url', url: `${url}${suffix}`, to }
  const { anchors, index } = context.anchorsOf(target)
  const anchor = index.find(fragment)
  if (anchor !== undefined) {
    const query = suffix.slice(0, suffix.indexOf('#'))
    return { kind: 'url', url: `${url}${query}#${encodeAnchor(anchor)}`, to }
  }
  const meant = nearest(decodeFragment(fragment), anchors)
  const hint =
    meant === undefined ? 'Link to the file, or to one of its headings.' : `Did you mean #${meant}?`
  const message = `${target.source} has no heading "#${fragment}".`
  // A rule, so it may be off: then the link leads to the article at least.
  return {
    kind: 'url',
    url: `${url}${suffix}`,
    to,
    complaint: { code: 'link-heading-missing', message, hint },
  }
}

function problem(code: Problem['code'], message: string, hint: string): LinkResolution {
  return { kind: 'problem', code, message, hint }
}

function placed({ code, message, hint }: Complaint, { line, column, end, source }: Slot): Problem {
  const place = { line, column, ...(end && { end }), ...(source !== undefined && { source }) }
  return { code, message, ...(hint !== undefined && { hint }), ...place }
}
