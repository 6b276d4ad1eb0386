import { posix } from 'node:path'
import { placeOfFile } from '../preset/file-place.ts'
import type { FolderPage } from '../preset/folder-pages.ts'
import { onlyByKey } from '../../core/only-by-key.ts'
import { candidatePlaces, type SiteLinkOptions } from './link-places.ts'

/** A folder that a link leads to. */
export interface FoundFolder {
  /** Names its category. */
  readonly category: string
  /** In which the link means it. */
  readonly language: string
  /** The file of the folder's page that the link names; undefined: it names the folder, or an address. */
  readonly file: string | undefined
}

/** What a link to a folder may be read as. */
const FOLDER_PAGE = /(?:^|\/)_?index\.md$/
const FOLDER_FILE = /(?:^|\/)_index(?:\.[^./]+)?\.md$/

export interface FolderFinder {
  /** By its address, or by its path, as `path` means it in the file `from`, an article in `language`. */
  readonly findFolder: (path: string, from: string, language: string) => FoundFolder | undefined
  /** The only one of a name, wherever it lies; with Hugo. */
  readonly findNamedFolder: (name: string, language: string) => FoundFolder | undefined
}

/** Finds the pages of folders that became categories. */
export function createFolderFinder(pages: readonly FolderPage[], options: SiteLinkOptions): FolderFinder {
  const byFolder = new Map(pages.map((page) => [page.folder, page]))
  let routes: ReturnType<typeof routeIndex> | undefined
  let names: ReadonlyMap<string, FolderPage | undefined> | undefined
  const byRoute = (route: string, language: string): FoundFolder | undefined => {
    routes ??= routeIndex(pages)
    const found = routes.get(bare(route))
    const as = [language, '', ...(found?.keys() ?? [])].find((each) => found?.has(each)) ?? ''
    const page = found?.get(as)
    return page && { category: page.category, language: as === '' ? language : as, file: undefined }
  }
  const bySource = (source: string, path: string, language: string): FoundFolder | undefined => {
    const isFile = /\.mdx?$/.test(path)
    const isPage = (isFile ? FOLDER_FILE : FOLDER_PAGE).test(source)
    if (!isPage || (isFile && options.preset !== 'hugo')) return undefined
    const page = byFolder.get(placeOfFile(source, options).folders.join('/'))
    const as = languageOf(source, options) ?? language
    return page && { category: page.category, language: as, file: isFile ? source : undefined }
  }
  return {
    findFolder: (path, from, language) => {
      if (pages.length === 0) return undefined
      const places = candidatePlaces(path, from, options)
      return (
        first(places.routes, (route) => byRoute(route, language)) ??
        first(places.sources, (source) => bySource(source, path, language))
      )
    },
    findNamedFolder: (name, language) => {
      if (options.preset !== 'hugo' || name.includes('/')) return undefined
      names ??= onlyByKey(pages.map((page) => [posix.basename(page.folder), page]))
      const page = names.get(name.normalize('NFC'))
      return page && { category: page.category, language, file: undefined }
    },
  }
}

/** The language that a path names, the default one too. */
function languageOf(source: string, { preset, languages }: SiteLinkOptions): string | undefined {
  const [defaultLanguage = ''] = languages
  const isDefault = preset === 'hugo' && source.startsWith(`${defaultLanguage}/`)
  return isDefault ? defaultLanguage : placeOfFile(source, { preset, languages }).language
}

/** Pages by address and language; undefined: several have that address. */
function routeIndex(pages: readonly FolderPage[]) {
  const index = new Map<string, Map<string, FolderPage | undefined>>()
  for (const page of pages)
    for (const { language, route } of page.routes) {
      const known = index.get(route) ?? new Map<string, FolderPage | undefined>()
      const isTaken = known.has(language) && known.get(language) !== page
      index.set(route, known.set(language, isTaken ? undefined : page))
    }
  return index
}

function bare(route: string): string {
  return route.normalize('NFC').replaceAll(/^\/+|\/+$/g, '')
}

function first<From, To>(values: readonly From[], find: (value: From) => To | undefined): To | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}
