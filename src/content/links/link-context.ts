// What links are resolved against, and the facts and settings it is made of.
import { posix } from 'node:path'
import { groupBy } from '../../core/group-by.ts'
import type { LinkFiles, OwnAddress } from './find-target.ts'
import type { Document } from '../../core/model/document.ts'
import { type AnchorIndex, createAnchorIndex } from '../markdown/anchors.ts'
import { type TaxonomyLinks, listTaxonomyAddresses, hasCategory } from './resolve-taxonomy-link.ts'
import type { AssetReader, AssetSettings } from '../assets/create-asset-reader.ts'
import { decodeAddress } from '../source/link-address.ts'
import { findFile, type FoundSources } from '../source/find-sources.ts'
import { type SourceIndex, createSourceIndex } from '../source/source-index.ts'
import { storedFileNameOf } from '../../core/stored-file-names.ts'
import { createSiteLinks } from '../site-links/create-site-links.ts'
import { createSeverityOf } from '../../core/model/create-severity-of.ts'
import type { DiagnosticCode, RuleSettings } from '../../core/model/diagnostic-codes.ts'
import type { CompiledTexts, MarkdownOptions } from '../markdown/rendered-body.ts'
import type { FolderPage } from '../preset/folder-categories.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import type { Settings } from '../../core/config/settings.ts'

/** Everything that links are resolved against. */
export interface LinkContext extends LinkFiles {
  readonly documents: Pick<ReadonlyMap<string, Document>, 'get' | 'has'>
  /** Last valid versions of rejected articles. Links to them have no problem. */
  readonly lastGood: ReadonlyMap<string, Document>
  readonly urlOf: (document: Document) => string
  readonly anchorsOf: (document: Document) => {
    readonly anchors: readonly string[]
    readonly index: AnchorIndex
  }
  readonly taxonomy: TaxonomyLinks
  readonly assets: AssetReader
  /** URL of the site for root-relative links, without a trailing slash. */
  readonly siteUrl?: string | undefined
}

/** Settings that determine where links lead and what is sent for them. */
export interface LinkSettings
  extends
    RuleSettings,
    Pick<Settings, 'contentRoot' | 'articleUrl' | 'categoryUrl' | 'tagUrl' | 'brokenLinks'>,
    Partial<Pick<Settings, 'toolSite' | 'siteUrl'>> {
  readonly defaults: { readonly language: string }
  readonly markdown: Pick<MarkdownOptions, 'frontmatter'>
  readonly assets: AssetSettings
}

/** Facts about all articles, known before links are resolved. */
export interface LinkedFacts {
  /** Sources of articles that have errors themselves. */
  readonly rejected: readonly string[]
  /** Last valid versions of some of them, to which links lead. */
  readonly lastGood?: readonly Document[]
  /** Sources of pages of the site that are not articles. */
  readonly pages: readonly string[]
  /** Pages of the site that became categories. */
  readonly folderPages: readonly FolderPage[] | undefined
  /** Paths that files set for their own pages, by source. */
  readonly routes: ReadonlyMap<string, string>
  /** The final taxonomy: names, slugs and paths do not change any more. */
  readonly taxonomy: LocalTaxonomy
  /** Returns the document that `translationOf` of another one refers to. */
  readonly findOriginal: (document: Document) => Document | undefined
}

export interface LinkerRequest {
  readonly options: LinkSettings
  readonly found: Pick<FoundSources, 'taxonomy'>
  /** Articles, by source, to which links lead at another slug or language than in their files. */
  readonly addresses?: ReadonlyMap<string, Pick<Document, 'slug' | 'language'>> | undefined
  readonly cache: CompiledTexts
  /** Wraps the context to record what links are resolved against. */
  readonly observe?: ((context: LinkContext) => LinkContext) | undefined
}

export type LinkerOptions = ReturnType<typeof linkerOptions>

export function linkerOptions(
  { taxonomy, ...facts }: LinkedFacts,
  { options, found, ...request }: LinkerRequest,
) {
  const { categoryUrl, tagUrl, articleUrl, defaults } = options
  const files = new Set(found.taxonomy.map(({ source }) => source))
  const links: TaxonomyLinks = { taxonomy, files, categoryUrl, tagUrl, defaultLanguage: defaults.language }
  const severityOf = createSeverityOf(options)
  return {
    ...options,
    ...facts,
    ...request,
    taxonomy: links,
    isRuleOff: (code: DiagnosticCode, source: string) => severityOf(code, source) === 'off',
    urlOf: (document: AddressedDocument) => {
      const { slug, language } = request.addresses?.get(document.source) ?? document
      return articleUrl({ slug, language: language ?? defaults.language })
    },
  }
}

/** Everything that determines the URL of a document. */
export type AddressedDocument = Pick<Document, 'source' | 'slug' | 'language' | 'aliases'>

/** The documents that links can lead to, by source in Unicode NFC: a map, or one that reads documents on demand. */
export interface KnownDocuments extends Pick<Map<string, Document>, 'get' | 'has' | 'set'> {
  readonly keys: () => Iterable<string>
  readonly values: () => Iterable<AddressedDocument>
}

export type AnchorsByKey = Map<string, ReturnType<LinkContext['anchorsOf']>>

interface ContextParts extends Pick<LinkContext, 'assets' | 'findExactly'> {
  readonly anchors: AnchorsByKey
  readonly ownAddresses: ReturnType<typeof createOwnAddresses>
}

export function createLinkContext(
  documents: KnownDocuments,
  { anchors, ownAddresses, ...files }: ContextParts,
  options: LinkerOptions,
): LinkContext {
  const { contentRoot, rejected, lastGood = [], pages, markdown, taxonomy, urlOf, cache } = options
  const { toolSite, siteUrl } = options
  const { baseUrl, storage = 'absent' } = options.assets
  const isFile = (source: string) => findFile(contentRoot, source) !== undefined
  let index: SourceIndex | undefined
  return {
    documents,
    sources: () => (index ??= createSourceIndex(documents.keys())),
    rejected: new Set(rejected.map((source) => source.normalize('NFC'))),
    lastGood: new Map(lastGood.map((document) => [document.source.normalize('NFC'), document])),
    urlOf,
    anchorsOf: ({ inputKey }) => {
      const known = anchors.get(inputKey)
      if (known !== undefined) return known
      const list = cache.readLinks(inputKey).anchors
      const entry = { anchors: list, index: createAnchorIndex(list) }
      anchors.set(inputKey, entry)
      return entry
    },
    taxonomy,
    ...files,
    isFile,
    publishes: files.assets.publishes,
    siteUrl,
    findOwnAddress: (path) =>
      isPublished(path, baseUrl) || (storage !== 'absent' && storedFileNameOf(path) !== undefined)
        ? { kind: 'listed' }
        : ownAddresses.find(path),
    isCategory: (folder) =>
      (folder.file === undefined || isFile(folder.file)) && hasCategory(folder.category, taxonomy),
    site: createSiteLinks(markdown.frontmatter, {
      documents,
      pages,
      folderPages: options.folderPages ?? [],
      toolSite,
      routes: options.routes,
      defaultLanguage: taxonomy.defaultLanguage,
    }),
  }
}

/**
 * Recognises the URLs of articles, categories and tags, old ones as well, and all URLs in the same folder, except in the
 * root. Collects them on the first call.
 */
export function createOwnAddresses(
  documents: Pick<KnownDocuments, 'values'>,
  options: Pick<LinkerOptions, 'urlOf' | 'articleUrl' | 'taxonomy' | 'rejected'>,
) {
  let known: ReturnType<typeof collect> | undefined
  let compared = 0
  return {
    /** @param path decoded */
    find: (path: string): OwnAddress | undefined => {
      const { addresses, folders, openFolders } = (known ??= collect(documents, options))
      const place = withoutSlash(path)
      const folder = posix.dirname(place)
      if (addresses.has(place)) return { kind: 'listed' }
      if (!folders.has(folder)) return undefined
      // It may be the URL of an article with errors, of an entry whose slug is unknown, or of another page.
      const mayExist = options.rejected.length > 0 || openFolders.has(folder) || folders.has(place)
      if (mayExist || OTHER_PAGE.test(posix.basename(place))) return { kind: 'listed' }
      return {
        kind: 'unlisted',
        others: () => (++compared > MOST_COMPARED ? [] : (folders.get(folder) ?? [])),
      }
    },
    forget: () => {
      known = undefined
    },
  }
}

function collect(
  documents: Pick<KnownDocuments, 'values'>,
  { urlOf, articleUrl, taxonomy }: Pick<LinkerOptions, 'urlOf' | 'articleUrl' | 'taxonomy'>,
) {
  const entries = listTaxonomyAddresses(taxonomy)
  const urls = Array.from(documents.values()).flatMap((document) => {
    const { aliases = [], language } = document
    const old = aliases.map((slug) => articleUrl({ slug, language: language ?? taxonomy.defaultLanguage }))
    return [urlOf(document), ...old]
  })
  const addresses = new Set(
    [...urls, ...entries.flatMap(({ url, isKnown }) => (isKnown ? [url] : []))].map(pathOf),
  )
  const folders = groupBy([...addresses], (address) => posix.dirname(address))
  folders.delete('/')
  const openFolders = new Set(
    entries.flatMap(({ url, isKnown }) => (isKnown ? [] : [posix.dirname(pathOf(url))])),
  )
  return { addresses, folders, openFolders }
}

/** Number of URLs that are compared with all others for a hint. A site may have as many old URLs as articles. */
const MOST_COMPARED = 100

/** Matches names of pages that have the same folder as articles, if their URLs have no folder of their own. */
const OTHER_PAGE = /^(?:search|status|feed\.xml|sitemap\.xml)$/

function pathOf(url: string): string {
  return withoutSlash(decodeAddress(url.replace(/[?#].*$/s, '')))
}

function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '')
}

function isPublished(path: string, baseUrl: string | undefined): boolean {
  return baseUrl?.startsWith('/') === true && path.startsWith(`${baseUrl}/`)
}
