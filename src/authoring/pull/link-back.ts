import { posix } from 'node:path'
import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'
import type { Document, LocalArticle } from '../../core/model/document.ts'
import { digest } from '../../core/digest.ts'
import { createAnchorIndex, encodeAnchor } from '../../content/markdown/anchors.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { LocalTaxonomy, TaxonomyTexts } from '../../core/model/taxonomy.ts'
import { memoize } from '../../core/memoize.ts'

type Linked = Pick<Document, 'source' | 'slug' | 'language'>

export interface LinkBackInput {
  /** The documents after the pull, including new files. If several have one URL, the first one counts. */
  readonly documents: readonly Linked[]
  /** Documents with their previous URLs, or those on the target, which may still be used. */
  readonly formerly: readonly Linked[]
  readonly urlOf: (document: Linked) => string
  /** Returns the fragment that is sent; undefined if the document has no such heading. */
  readonly findFragment: (source: string, fragment: string) => string | undefined
  /** Files that articles use. */
  readonly assets: readonly UsedAsset[]
  /** Folders whose files have root-relative URLs in a site, as paths from the content folder. */
  readonly rootFolders?: readonly string[] | undefined
  /** Returns links to categories and tags in an article of a language, such as `_categories.yml#accounts`, by URL. */
  readonly taxonomyLinks: (language: string | null) => ReadonlyMap<string, string>
}

/** Returns the inverse of resolving links between files. Pure. */
export function createLinkBack(input: LinkBackInput): (from: string) => LinkOf {
  const { urlOf, documents, formerly } = input
  const sources = new Map<string, string>()
  for (const document of [...documents, ...formerly]) {
    const url = urlOf(document)
    if (!sources.has(url)) sources.set(url, document.source)
  }
  const images = new Map(input.assets.map(({ source, hash }) => [hash, source] as const))
  const published = new Map(
    input.assets.flatMap(({ source, published: as }) =>
      as === undefined ? [] : [[as.url, source] as const],
    ),
  )
  const languages = new Map(documents.map(({ source, language }) => [source, language] as const))
  const linkToFile = (from: string, source: string | undefined) =>
    linkFromRoot(source, input.rootFolders) ?? linkTo(from, source)
  return (from) => (url) => {
    if (/^data:/i.test(url)) return linkToFile(from, sourceOfImage(url, images))
    const source = sources.get(url)
    if (source !== undefined) return linkTo(from, source)
    const [address = '', suffix = ''] = url.split(/(?=[?#])(.*)/s)
    const file = published.get(address)
    if (file !== undefined) return `${linkToFile(from, file) ?? ''}${suffix}`
    const entry = input.taxonomyLinks(languages.get(from) ?? null).get(url)
    if (entry !== undefined) return linkToEntry(from, entry)
    return linkHeading(url, from, sources, input)
  }
}

function linkHeading(
  url: string,
  from: string,
  sources: ReadonlyMap<string, string>,
  { findFragment }: LinkBackInput,
): string | undefined {
  const hash = url.indexOf('#')
  const source = hash === -1 ? undefined : sources.get(url.slice(0, hash))
  if (source === undefined) return undefined
  const fragment = url.slice(hash + 1)
  // A fragment that would be sent in another spelling, or that has no heading, would change the article or be rejected.
  return findFragment(source, fragment) === fragment ? `${linkTo(from, source)}#${fragment}` : undefined
}

function linkToEntry(from: string, entry: string): string {
  const [file = '', slug = ''] = entry.split('#')
  return `${linkTo(from, file) ?? file}#${encodeURIComponent(slug)}`
}

function linkTo(from: string, source: string | undefined): string | undefined {
  if (source === undefined) return undefined
  const encoded = encodePath(posix.relative(posix.dirname(from), source))
  // The text before a colon would be read as a scheme.
  return /^[^/]*:/.test(encoded) ? `./${encoded}` : encoded
}

function linkFromRoot(source: string | undefined, rootFolders: readonly string[] = []): string | undefined {
  const folder = rootFolders.find((each) => each !== '.' && source?.startsWith(`${each}/`))
  return folder === undefined ? undefined : encodePath(source?.slice(folder.length) ?? '')
}

/** Percent-encodes characters with a meaning in Markdown or URLs. */
function encodePath(path: string): string {
  return encodeURI(path).replace(/[?#()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function sourceOfImage(url: string, images: ReadonlyMap<string, string>): string | undefined {
  const base64 = /^data:[^,]*;base64,(.*)$/is.exec(url)?.[1]
  return base64 === undefined ? undefined : images.get(digest(Buffer.from(base64, 'base64')))
}

/** Returns a function that finds the fragment sent for a link to a heading; undefined if there is no such heading. */
export function createFindFragment(
  articles: readonly LocalArticle[],
  cache: Pick<RenderCache, 'readLinks'>,
): (source: string, fragment: string) => string | undefined {
  const keys = new Map(articles.map(({ source, inputKey }) => [source, inputKey]))
  const indexOf = memoize((key: string) => createAnchorIndex(cache.readLinks(key).anchors))
  return (source, fragment) => {
    const key = keys.get(source)
    if (key === undefined) return undefined
    const anchor = indexOf(key).find(fragment)
    return anchor === undefined ? undefined : encodeAnchor(anchor)
  }
}

interface Entry {
  readonly slug: string | undefined
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
}

/**
 * Returns the inverse of resolving links to categories and tags in an article of a language: maps a URL to the link
 * from the content folder, such as `_categories.yml#accounts`. Pure.
 */
export function createTaxonomyAddresses(
  { categories = [], tags = [] }: LocalTaxonomy,
  { categoryUrl, tagUrl, defaultLanguage }: Pick<Settings, 'categoryUrl' | 'tagUrl' | 'defaultLanguage'>,
): (language: string | null) => ReadonlyMap<string, string> {
  const linksIn = memoize((language: string) => {
    const link = (entries: readonly Entry[], file: string, urlOf: Settings['categoryUrl']) =>
      entries.flatMap(({ slug, translations }) => {
        if (slug === undefined) return []
        const translated = translations[language]?.slug
        const address =
          translated === undefined
            ? urlOf({ slug, language: defaultLanguage })
            : urlOf({ slug: translated, language })
        return [[address, `${file}#${slug}`] as const]
      })
    return new Map([...link(tags, '_tags.yml', tagUrl), ...link(categories, '_categories.yml', categoryUrl)])
  })
  return (language) => linksIn(language ?? defaultLanguage)
}
