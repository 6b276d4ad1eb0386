import type { Problem } from '../../core/model/diagnostic.ts'
import type { LocalArticle, Document } from '../../core/model/document.ts'
import { hashProjection } from '../../core/model/projection.ts'
import type { UsedFile } from '../../core/model/local-file.ts'
import { digestParts } from '../../core/digest.ts'
import { groupBy } from '../../core/group-by.ts'
import { tooMuchEmbedded, createAssetReader } from '../assets/create-asset-reader.ts'
import { isBannerPath } from '../frontmatter/frontmatter-schema.ts'
import { createFindExactly } from '../assets/find-assets.ts'
import type { LocatedUrl, Slot, CompiledMeta, WrittenLink } from '../markdown/rendered-body.ts'
import { joinTemplate } from '../markdown/slot-template.ts'
import { FRONTMATTER_START, type SourceProblem, rangeOf } from '../source/source-problem.ts'
import { type ResolveAddress, resolveAddress, resolveLink, resolveSiteAddress } from './resolve-link.ts'
import { rememberAddresses } from './remember-addresses.ts'
import {
  type AddressProblem,
  failed,
  type LinkedSlot,
  type ResolvedAddress,
  type ResolvedLink,
} from './resolved-link.ts'
import { linksToDrafts, listAwaited, listLinkedSources, type LinkNotes, noteLinks } from './link-notes.ts'
import type { LinkOrigin } from './find-target.ts'
import {
  type LinkContext,
  type LinkedFacts,
  type LinkerRequest,
  type LinkerOptions,
  linkerOptions,
  type KnownDocuments,
  type AnchorsByKey,
  createLinkContext,
  createOwnAddresses,
} from './link-context.ts'

/** A file that contains a link. Without a language, it is in the default language. */
type WrittenOrigin = Pick<LinkOrigin, 'source'> & { readonly language: string | null | undefined }

/** A document after its links were resolved. */
export interface LinkedDocument {
  readonly article: LocalArticle
  /** Problems of its links, except those of disabled rules. */
  readonly problems: readonly SourceProblem[]
  /** Faulty articles that it links to or translates (as written in `translationOf`) and whose URL or id is unknown. */
  readonly waitsFor: readonly string[]
  /** Sources of the articles that it links to. */
  readonly linksTo: readonly string[]
  /** Ids that links to it can use. */
  readonly anchors: readonly string[]
}

export type Linker = ReturnType<typeof createLinker>

/** Creates a linker for documents. All of them must be known in advance. */
export function createLinker(bySource: KnownDocuments, facts: LinkedFacts, request: LinkerRequest) {
  const options = linkerOptions(facts, request)
  const findExactly = createFindExactly(options.contentRoot)
  const assets = createAssetReader(options.contentRoot, findExactly, options.assets)
  const anchors: AnchorsByKey = new Map()
  const ownAddresses = createOwnAddresses(bySource, options)
  const plain = createLinkContext(bySource, { anchors, ownAddresses, assets, findExactly }, options)
  const context = options.observe?.(plain) ?? plain
  let resolverIn = createResolver(context, options)
  const linkedUrls = createLinkedUrls(options)
  const slotsOf = ({ inputKey }: Document): readonly Slot[] => options.cache.readLinks(inputKey).slots
  const resolveAll = (document: Document, slots = slotsOf(document), reports = false) =>
    limitEmbedded(slots.map(resolverIn(document, reports).resolveSlot))
  return {
    /** Resolves and notes the links that `annotateTree` found. Reads no HTML: hashes of its parts show its changes. */
    link: (document: Document, meta: CompiledMeta, notes: LinkNotes): LinkedDocument => {
      const { slots, targets, anchors: own } = options.cache.readLinks(document.inputKey)
      const resolved = resolveAll(document, slots, true)
      const banner = resolveBanner(document, context)
      const all = [banner, ...resolved]
      // If a literal starts with a spread, V8 creates a hidden class for each object: 500 bytes per article.
      const hashes = hashLinked(meta, linkedUrls.keep(document, urlsOf(resolved)), targets)
      const sent = { seoBannerUrl: banner.url ?? '', ...hashes, files: filesOf(all, document) }
      const article = { original: options.findOriginal(document)?.source, ...document, ...sent }
      noteLinks(notes, resolved, document)
      const links = { waitsFor: listAwaited(article, resolved), linksTo: listLinkedSources(resolved) }
      return { article, problems: problemsOf(all, document, options), ...links, anchors: own }
    },
    /** Resolves a URL that is not in a document. */
    resolve: (slot: Slot, origin: WrittenOrigin) => resolverIn(origin, true).resolveSlot(slot),
    /** Returns the article's HTML with resolved links, without the marker. */
    readHtml: (document: Document) => {
      const urls = linkedUrls.take(document) ?? urlsOf(resolveAll(document))
      return joinTemplate(options.cache.readHtml(document.inputKey), urls)
    },
    /** Returns the wanted URLs in the article's HTML, including repetitions. Reads the cache. */
    findAddresses: (document: Document, isWanted: (url: string) => boolean): readonly LocatedUrl[] => {
      const { urlOf } = resolverIn(document)
      const { slots, externals } = options.cache.readLinks(document.inputKey, createIsNeeded(urlOf, isWanted))
      return [...externals, ...asSent(resolveAll(document, slots))].filter(({ url }) => isWanted(url))
    },
    /** Returns the links of a document to other parts of the site, by absolute URL. Reads the cache. */
    readSiteLinks: (document: Document) => resolveAll(document).flatMap(toSiteLink),
    assets: assets.used,
    unusableAssets: assets.unusable,
    /** Replaces the document with the same source. */
    renew: (document: Document) => {
      const place = document.source.normalize('NFC')
      const before = bySource.get(place)
      anchors.delete(before?.inputKey ?? '')
      bySource.set(place, document)
      // Collecting them takes longer than linking an article.
      if (before === undefined || options.urlOf(before) !== options.urlOf(document)) ownAddresses.forget()
      // Remembered results contain the former version.
      resolverIn = createResolver(context, options)
      linkedUrls.forget()
    },
  }
}

/** Keeps the URLs of linked documents until their HTML is read, as in a first sync. */
function createLinkedUrls({ observe }: LinkerOptions) {
  const kept = new Map<string, { readonly inputKey: string; readonly urls: ReturnType<typeof urlsOf> }>()
  return {
    keep: ({ source, inputKey }: Document, urls: ReturnType<typeof urlsOf>) => {
      // Embedded files are long, and an observer must see what each document looks up.
      if (observe === undefined && !urls.some((url) => url?.startsWith('data:') === true))
        kept.set(source, { inputKey, urls })
      return urls
    },
    take: ({ source, inputKey }: Document) => {
      const last = kept.get(source)
      kept.delete(source)
      // The last one linked may be a former version of the document.
      return last?.inputKey === inputKey ? last.urls : undefined
    },
    forget: () => kept.clear(),
  }
}

function toSiteLink({ slot, link }: LinkedSlot): LocatedUrl[] {
  return link.kind === 'url' && link.to?.kind === 'site' ? [{ url: link.url, ...rangeOf(slot) }] : []
}

/** Returns links with the URLs that are sent for them. */
function asSent(linked: readonly LinkedSlot[]): readonly LocatedUrl[] {
  return linked.flatMap(({ slot, url }) => (url === undefined ? [] : [{ ...slot, url }]))
}

/** Creates a test for links with a wanted URL, and for embedded images, all of which determine which are too large. */
function createIsNeeded(
  urlOf: (link: WrittenLink) => string | undefined,
  isWanted: (url: string) => boolean,
) {
  return (link: WrittenLink): boolean => {
    const url = urlOf(link)
    return url !== undefined && (isWanted(url) || url.startsWith('data:'))
  }
}

/** `reported`: set if its problem is reported, so that its link depends on the position. */
type FoundLink = Pick<Slot, 'kind'> & Omit<LinkedSlot, 'slot'> & { reported: ResolvedAddress | undefined }

/** Creates the functions that resolve the links of a file. With `reports`, links have problems whose rule is on. */
function createResolver(context: LinkContext, options: LinkerOptions) {
  const { taxonomy, brokenLinks, isRuleOff, observe } = options
  const lookUp: ResolveAddress = (address, origin) => resolveAddress(address, origin, context)
  // An observer must see what each document looks up.
  const lookUpOnce = observe === undefined ? rememberAddresses(lookUp, context.site) : lookUp
  // A root-relative URL works if the knowledge base is on the same host; the rule is then off.
  const leadsNowhere = ({ kind, to, problem }: ResolvedAddress, source: string) =>
    kind === 'problem' ||
    (problem?.code === 'site-address' && to === undefined && !isRuleOff('site-address', source))
  return ({ source, language }: WrittenOrigin, reports = false) => {
    const origin = { source, language: language ?? taxonomy.defaultLanguage }
    // Most documents use a URL several times.
    const known = new Map<string, FoundLink>()
    const find = (slot: Pick<Slot, 'kind' | 'url' | 'source'>): FoundLink => {
      const key = slot.source === undefined ? slot.url : `${slot.source}\0${slot.url}`
      const before = known.get(key)
      if (before?.kind === slot.kind) return before
      const address = resolveLink(slot, origin, context, lookUpOnce)
      const file = slot.source ?? source
      const isText = slot.kind === 'link' && brokenLinks === 'text' && leadsNowhere(address, file)
      const isReported = reports && address.problem !== undefined && !isRuleOff(address.problem.code, file)
      const reported = isReported ? address : undefined
      const url = isText ? undefined : sentUrl(slot, address)
      const found = { kind: slot.kind, link: { ...address, problem: undefined }, url, reported }
      known.set(key, found)
      return found
    }
    return {
      resolveSlot: (slot: Slot): LinkedSlot => {
        const { link, url, reported } = find(slot)
        return { slot, link: reported === undefined ? link : placeLink(reported, slot), url }
      },
      /** Returns the URL to send for a link, wherever it is. Ignores the limit on embedded images. */
      urlOf: ({ kind, ...link }: WrittenLink) =>
        kind === 'external' ? link.url : find({ kind, ...link }).url,
    }
  }
}

/** Returns the link at this position, with a resolved URL. */
function placeLink(address: ResolvedAddress, slot: Slot): ResolvedLink {
  if (address.problem === undefined) return address
  const { problem, ...link } = address
  return { ...link, problem: placeProblem(problem, slot) }
}

function placeProblem({ code, message, hint: given, findFix }: AddressProblem, slot: Slot): Problem {
  const fix = findFix?.(slot)
  const hint = typeof given === 'function' ? given() : given
  return { code, message, ...(hint !== undefined && { hint }), ...rangeOf(slot), ...(fix && { fix: [fix] }) }
}

function hashLinked(
  meta: CompiledMeta,
  urls: readonly (string | undefined)[],
  targets: readonly (string | number)[],
): Pick<LocalArticle, 'contentHash' | 'projectionHash'> {
  return {
    contentHash: digestParts([meta.templateHash, ...urls.map((url) => url ?? UNLINKED)]),
    projectionHash: hashProjection(
      meta.textHash,
      targets.flatMap((target) => (typeof target === 'number' ? (urls[target] ?? []) : target)),
    ),
  }
}

/** Represents a link that is sent as text in a digest. No URL contains a space. */
const UNLINKED = 'sent as text'

/** Returns the files that the target stores, without duplicates. */
function filesOf(linked: readonly LinkedSlot[], { source }: Document): readonly UsedFile[] | undefined {
  const files = new Map<string, UsedFile>()
  for (const { slot, link } of linked) {
    const stored = link.kind === 'url' && link.to?.kind === 'asset' ? link.to.stored : undefined
    if (stored !== undefined && !files.has(stored.name))
      files.set(stored.name, { ...stored, usedAt: `${slot.source ?? source}:${slot.line}` })
  }
  return files.size === 0 ? undefined : [...files.values()]
}

function urlsOf(linked: readonly LinkedSlot[]): (string | undefined)[] {
  return linked.map(({ url }) => url)
}

function sentUrl(slot: Pick<Slot, 'url'>, link: ResolvedLink | ResolvedAddress): string {
  return link.kind === 'url' ? link.url : slot.url
}

/** Maximum total length of the embedded images of an article, as sent: our own server rejects requests of 32 MB. */
const MOST_EMBEDDED = 16_000_000

/** Omits the largest embedded images if all are too large for an article. An image is embedded for each use. */
function limitEmbedded(linked: LinkedSlot[]): LinkedSlot[] {
  const embedded = linked.filter(({ url }) => url?.startsWith('data:') === true)
  const total = sumLength(embedded)
  if (total <= MOST_EMBEDDED) return linked
  const images = [...groupBy(embedded, ({ url }) => url)].map(([, uses]) => ({
    uses,
    length: sumLength(uses),
  }))
  const replaced = new Map<LinkedSlot, LinkedSlot>()
  let left = total
  for (const { uses, length } of images.toSorted((a, b) => b.length - a.length)) {
    if (left <= MOST_EMBEDDED) break
    left -= length
    uses.forEach((use, index) => {
      const { slot, link } = use
      const { to } = link
      const problem = tooMuchEmbedded(to?.kind === 'asset' ? to.source : slot.url, uses.length, {
        total,
        maximum: MOST_EMBEDDED,
      })
      const address: ResolvedAddress =
        index === 0 ? failed(problem, to) : { kind: 'url', url: slot.url, ...(to && { to }) }
      replaced.set(use, { slot, link: placeLink(address, slot), url: slot.url })
    })
  }
  return linked.map((slot) => replaced.get(slot) ?? slot)
}

function sumLength(linked: readonly LinkedSlot[]): number {
  return linked.reduce((sum, { url = '' }) => sum + url.length, 0)
}

/** Resolves the image for shared links: a file of the project, or a URL, which is checked only if root-relative. */
function resolveBanner(document: Document, context: LinkContext): LinkedSlot {
  const { source, seoBannerUrl: url, positions } = document
  const language = document.language ?? context.taxonomy.defaultLanguage
  const slot: Slot = { kind: 'banner', url, ...(positions['seoBannerUrl'] ?? FRONTMATTER_START) }
  const file = isBannerPath(url) ? resolveAddress(slot, { source, language }, context) : undefined
  const isOfSite = /^\/(?!\/)/.test(url)
  const address = file ?? (isOfSite ? resolveSiteAddress(slot, url, context) : { kind: 'url', url })
  const link = placeLink(address, slot)
  return { slot, link, url: sentUrl(slot, link) }
}

function problemsOf(
  linked: readonly LinkedSlot[],
  document: Document,
  { isRuleOff }: Pick<LinkerOptions, 'isRuleOff'>,
): SourceProblem[] {
  const { source } = document
  const problems = linksToDrafts(document, linked)
  for (const { link } of linked)
    if (link.problem !== undefined) problems.push({ source, problem: link.problem })
  return problems.filter(({ problem }) => !isRuleOff(problem.code, problem.source ?? source))
}
