import { posix } from 'node:path'
import { readContentFolder } from '../../content/source/content-folder.ts'
import type { SourceFilter } from '../../content/source/find-sources.ts'
import type { LinkFiles, LinkOrigin } from '../../content/links/find-target.ts'
import {
  type FoundFolder,
  createSiteLinks,
  type SiteLinkResolver,
} from '../../content/site-links/create-site-links.ts'
import type { FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import { isHidden, isHiddenFolder } from '../../core/dialects/site-folders.ts'
import { createSourceIndex, type SourceIndex } from '../../content/source/source-index.ts'
import { parseSitePath } from '../../content/preset/site-path.ts'
import {
  linkCandidates,
  createFindNamed,
  siteLinkOptions,
  type SiteLinkOptions,
} from '../../content/site-links/link-candidates.ts'

/** The files of the content folder, before or after a move. */
export interface FileTree {
  readonly sources: readonly string[]
  /** Returns the file as spelled on disk, for any Unicode form. */
  readonly find: (source: string) => string | undefined
  readonly isArticle: (source: string) => boolean
  /** The data for finding link targets. */
  readonly linkFiles: LinkFiles
  readonly originOf: (source: string) => LinkOrigin
  /** Set for the content of another tool: determines the meaning of its links. */
  readonly site?: SiteLinkOptions | undefined
}

/** A folder of a tree, by its path. `isAddress`: the link is a URL, not a path. */
export interface MoveFolder extends FoundFolder {
  readonly isAddress: boolean
}

interface FileTreeOptions {
  readonly isIncluded: SourceFilter
  readonly mapping: FrontmatterMapping | undefined
  readonly defaultLanguage: string
}

export function createFileTree(sources: readonly string[], options: FileTreeOptions): FileTree {
  const { isIncluded, mapping, defaultLanguage } = options
  const exact = new Set(sources)
  const byForm = new Map(sources.map((source) => [source.normalize('NFC'), source]))
  const find = (source: string) => (exact.has(source) ? source : byForm.get(source.normalize('NFC')))
  const isArticle = (source: string): boolean =>
    isIncluded(source) && !source.split('/').some((name) => /^[_.]/.test(name))
  const articles = () => sources.filter(isArticle)
  let index: SourceIndex | undefined
  const site = siteLinkOptions(mapping)
  const languageOf = (source: string) => (site && parseSitePath(source, site).language) ?? null
  const links = createSiteLinks(mapping, {
    documents: { values: () => articles().map((source) => ({ source, language: languageOf(source) })) },
    pages: [],
    folderPages: [],
    defaultLanguage,
  })
  return {
    sources,
    find,
    isArticle,
    originOf: (source) => ({ source, language: languageOf(source) ?? defaultLanguage }),
    linkFiles: {
      documents: { has: (source) => isArticle(find(source) ?? '') },
      sources: () => (index ??= createSourceIndex(articles().map((source) => source.normalize('NFC')))),
      rejected: new Set(),
      findExactly: (path) => {
        const source = find(path)
        return source === undefined ? { kind: 'missing' } : { kind: 'found', source }
      },
      isFile: (source) => find(source) !== undefined,
      publishes: (source) => !source.endsWith('.md'),
      findOwnAddress: () => undefined,
      isCategory: () => true,
      site: links && site && { ...links, ...createFolderFinder({ sources, find, isArticle }, site) },
    },
    site,
  }
}

/** Finds folders by path. Links lead to the same folder before and after the move, whether or not it is a category. */
function createFolderFinder(
  { sources, find, isArticle }: Pick<FileTree, 'sources' | 'find' | 'isArticle'>,
  site: SiteLinkOptions,
): Pick<SiteLinkResolver, 'findFolder' | 'findNamedFolder'> {
  let folders: ReadonlyMap<string, string> | undefined
  const { pages, hasText, file } = site.dialect.folders
  const findNamed = createFindNamed(site, () =>
    [...foldersOf(sources.filter(isArticle))].map(([key, folder]) => [posix.basename(key), folder]),
  )
  const findFirst = (paths: readonly string[], isAddress: boolean): MoveFolder | undefined => {
    folders ??= foldersOf(sources)
    const [folder] = paths.flatMap((path) => folders?.get(path.normalize('NFC')) ?? [])
    return folder === undefined ? undefined : folderAt(folder, { isAddress })
  }
  return {
    findFolder: (path, from) => {
      const places = linkCandidates(path, from, site)
      if (/\.mdx?$/.test(path)) {
        // The file that describes a folder and has a text.
        const found = places.sources.flatMap((place) => find(place) ?? []).find((each) => file?.test(each))
        return found === undefined || hasText !== true
          ? undefined
          : folderAt(posix.dirname(found), { file: found })
      }
      if (pages === undefined) return undefined
      const addresses = places.routes.map((route) => route.replaceAll(/^\/+|\/+$/g, ''))
      const folderPages = places.sources.filter((source) => FOLDER_PAGE.test(source))
      const paths = folderPages.map((page) => posix.dirname(page))
      return findFirst(addresses, true) ?? findFirst(paths, false)
    },
    findNamedFolder: (name) => {
      const folder = findNamed(name)
      return folder === undefined ? undefined : folderAt(folder, {})
    },
  }
}

const FOLDER_PAGE = /\/_?index\.md$/

function folderAt(
  folder: string,
  { file, isAddress = false }: { readonly file?: string; readonly isAddress?: boolean },
): MoveFolder {
  return { category: folder, language: '', file, isAddress }
}

/** Returns folders by their names in Unicode NFC. */
function foldersOf(sources: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>()
  for (const source of sources)
    for (let at = source.lastIndexOf('/'); at !== -1; at = source.lastIndexOf('/', at - 1)) {
      const folder = source.slice(0, at)
      if (folders.has(folder.normalize('NFC'))) break
      folders.set(folder.normalize('NFC'), folder)
    }
  return folders
}

/**
 * Returns every file in the content folder that is not hidden, with `/`. Lists symbolic links without following them.
 *
 * @throws KbError CONTENT_UNREADABLE
 */
export function listFiles(contentRoot: string): { readonly sources: string[]; readonly links: Set<string> } {
  const sources: string[] = []
  const links = new Set<string>()
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readContentFolder(contentRoot, folder, 'Nothing was moved.')) {
      const source = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() ? isHiddenFolder(source) : isHidden(source)) continue
      if (entry.isDirectory()) pending.push(source)
      else sources.push(source)
      if (entry.isSymbolicLink()) links.add(source)
    }
  }
  return { sources: sources.toSorted(), links }
}
