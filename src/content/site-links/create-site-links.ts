import { posix } from 'node:path'
import type { Document } from '../../core/model/document.ts'
import type { Dialect, ToolSite } from '../../core/dialects/dialect.ts'
import type { FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import type { FolderPage } from '../preset/folder-categories.ts'
import { parseSitePath, routeOf } from '../preset/site-path.ts'
import { joinSource } from '../source/link-address.ts'
import {
  linkBaseOf,
  firstFound,
  foldersOf,
  linkCandidates,
  originalsOf,
  createFindNamed,
  createFindNamedPage,
  joinBelowPage,
  pathInContent,
  type LinkCandidates,
  siteLinkOptions,
  type SiteLinkOptions,
} from './link-candidates.ts'

/** Resolves links to articles as in the site of a tool. */
export interface SiteLinkResolver extends FolderFinder {
  readonly dialect: Dialect
  /** Returns candidates for the article that `path` refers to in the file `from`. */
  readonly places: (path: string, from: string) => LinkCandidates
  /** Returns the source, in Unicode NFC, of the article with a slug. */
  readonly findSlug: (slug: string, language: string) => string | undefined
  /** Returns the source, in Unicode NFC, of the only page with a name, in any folder. */
  readonly findNamed: (name: string, language: string) => string | undefined
  /** The pages of folders that became categories. */
  readonly folderPages: readonly FolderPage[]
  /** True if a source (in Unicode NFC), if the file exists, is a page of the site but not an article. */
  readonly isPage: (source: string) => boolean
  /** Returns candidates for the file with a decoded root-relative path. */
  readonly rootFiles: (path: string) => readonly string[]
  /** Returns the file beside the content that a relative path refers to in the file `from`. It may be missing. */
  readonly fileBeside: (path: string, from: string) => string | undefined
  /** Returns further candidates for the file that a relative path refers to in the file `from`. */
  readonly relativeFiles: (path: string, from: string) => readonly string[]
  /** Returns the root-relative path for a relative one in the file `from`. */
  readonly pathFrom: (path: string, from: string) => string
  readonly linkBaseOf: (from: string) => readonly unknown[]
  /** True if links in this file are relative first of all to its URL, which differs from its path. */
  readonly isElsewhere: (from: string) => boolean
  /** True if a relative URL in the file `from` leads to another version of the documents. */
  readonly isOtherVersion: (path: string, from: string) => boolean
  /** The template that determines link targets; undefined if there is none. */
  readonly linkHook: string | undefined
  /** True if the site has no other files with root-relative URLs. */
  readonly knowsFiles: boolean
  /** True if the tool does not build a page with an image that is in none of these folders. */
  readonly needsImages: boolean
  /** Resolves `@site/…` to the path in the content folder or the root-relative URL; undefined if it is neither. */
  readonly fromSite: (path: string) => string | undefined
}

interface SiteLinkFacts {
  readonly documents: {
    readonly values: () => Iterable<Pick<Document, 'source' | 'language'> & Partial<Pick<Document, 'slug'>>>
  }
  /** Sources of pages that are not articles. */
  readonly pages: readonly string[]
  readonly folderPages: readonly FolderPage[]
  readonly defaultLanguage: string
  /** Undefined: nothing is known about the site around the content. */
  readonly toolSite?: ToolSite | undefined
  /** Paths that files set for their own pages, by source. */
  readonly routes?: ReadonlyMap<string, string> | undefined
}

/** Undefined if the content is not that of a tool. */
export function createSiteLinks(
  mapping: FrontmatterMapping | undefined,
  { documents, pages, folderPages, defaultLanguage, toolSite, routes }: SiteLinkFacts,
): SiteLinkResolver | undefined {
  const known = siteLinkOptions(mapping)
  if (known === undefined) return undefined
  const options: SiteLinkOptions = { ...known, routes }
  const { dialect, folderName } = options
  const ownPages = new Set(pages.map((source) => source.normalize('NFC')))
  let slugs: ReadonlyMap<string, string> | undefined
  const findNamedPage = createFindNamedPage(options, () =>
    Array.from(documents.values(), ({ source, language }) => ({
      source,
      language: language ?? defaultLanguage,
    })),
  )
  return {
    dialect,
    places: (path, from) => linkCandidates(path, from, options),
    findSlug: (slug, language) => {
      slugs ??= slugIndex(documents, defaultLanguage)
      return slugs.get(keyOf(slug, language)) ?? slugs.get(keyOf(slug, defaultLanguage))
    },
    findNamed: (path, language) =>
      findNamedPage(collectionName(path, options) ?? path, language)?.normalize('NFC'),
    ...createFolderFinder(folderPages, options),
    folderPages,
    // Lists of a tool have a file name that no article can have.
    isPage: (source) => ownPages.has(source) || posix.basename(source) === '_index.md',
    rootFiles: (path) => (toolSite === undefined ? [] : rootFilesIn(toolSite, path)),
    fileBeside: (path, from) => {
      const source = posix.join(posix.dirname(from), path)
      const folders = [...(toolSite?.rootFolders ?? []), ...(toolSite?.imageFolders ?? [])]
      const isBeside = folders.some((each) => each.startsWith('../') && source.startsWith(`${each}/`))
      return isBeside ? source : undefined
    },
    relativeFiles: (path, from) =>
      dialect.links.reachPageFiles && toolSite !== undefined
        ? filesOfPage(path, from, options, toolSite)
        : [],
    pathFrom: (path, from) => {
      const [folder = ''] = foldersOf(from, options)
      return posix.join('/', toolSite?.docsPath ?? '', folder, path)
    },
    linkBaseOf: (from) => linkBaseOf(from, options),
    isElsewhere: (from) => routes?.has(from) === true,
    isOtherVersion: (path, from) =>
      dialect.links.reachVersions === true &&
      linkCandidates(path, from, options).routes.some((route) => isVersion(route.split('/')[1], toolSite)),
    linkHook: toolSite?.linkHook,
    knowsFiles: toolSite?.isComplete === true,
    needsImages: dialect.links.needImages === true,
    fromSite: (path) => {
      if (path.startsWith(`@site/${folderName}/`)) return path.slice(`@site/${folderName}`.length)
      return path.startsWith('@site/static/') ? path.slice('@site/static'.length) : undefined
    },
  }
}

/** Returns the name in the URL of a page in a collection, whose folders may not be part of it. */
function collectionName(path: string, options: SiteLinkOptions): string | undefined {
  const own = options.urlFolder === undefined ? undefined : pathInContent(path, options)
  return own?.replace(/^\/|\/$|\.html?$/g, '')
}

/** Returns true for a listed version, or a name that looks like one: others may be built elsewhere. */
function isVersion(name: string | undefined, toolSite: ToolSite | undefined): boolean {
  if (name === undefined) return false
  return toolSite?.versions.includes(name) === true || /^(?:v\d+|v?\d+(?:\.(?:\d+|x))+)$/.test(name)
}

/** Returns the files that a relative path in a page may refer to, likely ones first. */
function filesOfPage(path: string, from: string, options: SiteLinkOptions, toolSite: ToolSite): string[] {
  const address = posix.join('/', routeOf(parseSitePath(from, options), options.dialect), path)
  const besideOriginals = originalsOf(from, options).flatMap((original) => [
    joinSource(original, path),
    joinBelowPage(original, path),
  ])
  const inContent = [joinBelowPage(from, path), ...besideOriginals].filter((file) => file !== undefined)
  const fromRoot = path.startsWith('.') ? [] : rootFilesIn(toolSite, `/${path}`)
  const beside = options.dialect.links.begin === 'folder-or-page' ? joinSource(from, path) : undefined
  const fromFolder = beside === undefined ? [] : rootFilesIn(toolSite, `/${beside}`)
  return [...inContent, ...rootFilesIn(toolSite, address), ...fromRoot, ...fromFolder]
}

function rootFilesIn({ rootFolders, imageFolders = [], basePath }: ToolSite, path: string): string[] {
  const whole = posix.normalize(path)
  const isBased = basePath !== '' && whole.startsWith(`${basePath}/`)
  const paths = isBased ? [whole.slice(basePath.length), whole] : [whole]
  return paths.flatMap((each) => [
    ...rootFolders.map((folder) => (folder === '.' ? each.slice(1) : `${folder}${each}`)),
    // A folder beside the content may be published under its own name.
    ...(imageFolders.some((folder) => `..${each}`.startsWith(`${folder}/`)) ? [`..${each}`] : []),
  ])
}

function slugIndex(documents: SiteLinkFacts['documents'], defaultLanguage: string) {
  const index = new Map<string, string>()
  for (const { slug, language, source } of documents.values())
    if (slug !== undefined) index.set(keyOf(slug, language ?? defaultLanguage), source.normalize('NFC'))
  return index
}

function keyOf(slug: string, language: string): string {
  return `${language}\0${slug}`
}

export interface FoundFolder {
  readonly category: string
  readonly language: string
  /** The file of the folder's page, if the link names it. Undefined: the link names the folder, or a URL. */
  readonly file: string | undefined
}

/** A link to a folder may name its page. */
const FOLDER_PAGE = /(?:^|\/)_?index\.md$/

interface FolderFinder {
  /** Finds a folder by its URL, or by the path in the file `from`, an article in `language`. */
  readonly findFolder: (path: string, from: string, language: string) => FoundFolder | undefined
  /** Returns the only folder with a name, at any level. */
  readonly findNamedFolder: (name: string, language: string) => FoundFolder | undefined
}

/** Finds the pages of folders that became categories. */
function createFolderFinder(pages: readonly FolderPage[], options: SiteLinkOptions): FolderFinder {
  const byFolder = new Map(pages.map((page) => [page.folder, page]))
  let routes: ReturnType<typeof routeIndex> | undefined
  const findNamed = createFindNamed(options, () => pages.map((page) => [posix.basename(page.folder), page]))
  const { file, hasText } = options.dialect.folders
  const byRoute = (route: string, language: string): FoundFolder | undefined => {
    routes ??= routeIndex(pages)
    const found = routes.get(route.normalize('NFC').replaceAll(/^\/+|\/+$/g, ''))
    const as = [language, null, ...(found?.keys() ?? [])].find((each) => found?.has(each))
    const page = as === undefined ? undefined : found?.get(as)
    return page && { category: page.category, language: as ?? language, file: undefined }
  }
  const bySource = (source: string, path: string, language: string): FoundFolder | undefined => {
    const isFile = /\.mdx?$/.test(path)
    const isPage = isFile ? hasText && file?.test(source) : FOLDER_PAGE.test(source)
    if (isPage !== true) return undefined
    const page = byFolder.get(parseSitePath(source, options).folders.join('/'))
    const as = languageOf(source, options) ?? language
    return page && { category: page.category, language: as, file: isFile ? source : undefined }
  }
  return {
    findFolder: (path, from, language) => {
      if (pages.length === 0) return undefined
      const places = linkCandidates(path, from, options)
      return (
        firstFound(places.routes, (route) => byRoute(route, language)) ??
        firstFound(places.sources, (source) => bySource(source, path, language))
      )
    },
    findNamedFolder: (name, language) => {
      const page = findNamed(name)
      return page && { category: page.category, language, file: undefined }
    },
  }
}

/** Returns the language in a path, else the default language. */
function languageOf(source: string, options: SiteLinkOptions): string | undefined {
  const { dialect, languages } = options
  const [defaultLanguage = ''] = languages
  const isDefault = dialect.links.areTranslated && source.startsWith(`${defaultLanguage}/`)
  return isDefault ? defaultLanguage : parseSitePath(source, options).language
}

/** Returns pages by path and language; undefined if several have that path. */
function routeIndex(pages: readonly FolderPage[]) {
  const index = new Map<string, Map<string | null, FolderPage | undefined>>()
  for (const page of pages)
    for (const { language, route } of page.routes) {
      const known = index.get(route) ?? new Map<string | null, FolderPage | undefined>()
      const isTaken = known.has(language) && known.get(language) !== page
      index.set(route, known.set(language, isTaken ? undefined : page))
    }
  return index
}
