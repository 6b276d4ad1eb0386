// Candidates for the article that a link refers to in the site of a tool, where links are URLs or paths of files.
import { posix } from 'node:path'
import { dialectOf } from '../../core/dialects/dialects.ts'
import type { FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import { splitLanguageFolder } from '../../core/dialects/usual.ts'
import { joinSource } from '../source/link-address.ts'
import { pageName, parseSitePath, type Placing, routeOf } from '../preset/site-path.ts'

/** The settings that links depend on. */
export interface SiteLinkOptions extends Placing, Pick<FrontmatterMapping, 'folderName' | 'urlFolder'> {
  /** Paths that files set for their own pages, by source. Links are relative to them. */
  readonly routes?: ReadonlyMap<string, string> | undefined
}

/** Returns undefined if the content is not that of a tool. */
export function siteLinkOptions(mapping: FrontmatterMapping | undefined): SiteLinkOptions | undefined {
  if (mapping?.preset === undefined) return undefined
  const { preset, languages, folderName, urlFolder } = mapping
  return { dialect: dialectOf(preset), languages, folderName, urlFolder }
}

/** Candidates for a link: files and routes, likely ones first. */
export type LinkCandidates = ReturnType<typeof linkCandidates>

/** @param path decoded, without query, fragment and `@site` */
export function linkCandidates(path: string, from: string, options: SiteLinkOptions) {
  const bases = basesOf(path, from, options).filter((base) => base !== undefined)
  const originals = options.dialect.links.reachOriginals
    ? bases.flatMap((base) => originalsOf(base, options))
    : []
  const sources = [...bases, ...originals].flatMap((base) => filesOf(base, options))
  if (/\.mdx?$/.test(path)) return { sources, routes: [], rootRoutes: [] }
  return {
    sources,
    /** Paths from the root of the content, likely ones first. */
    routes: routesOf(path, from, options),
    /** The same for a path that may also be relative to the content. */
    rootRoutes: startsOf(path, options).flatMap((start) =>
      start.from === 'root' ? routesOf(`/${start.path}`, from, options) : [],
    ),
  }
}

function basesOf(path: string, from: string, options: SiteLinkOptions): (string | undefined)[] {
  const { dialect, languages } = options
  const { areTranslated } = dialect.links
  if (path.startsWith('/')) {
    const own = pathInContent(path, options)
    const { language = languages[0] } = parseSitePath(from, options)
    // In the folder of a language, a root-relative path refers to the page in that language.
    const translated = areTranslated ? joinSource(from, `/${language}${path}`) : undefined
    return [translated, joinSource(from, path), own === undefined ? undefined : joinSource(from, own || '/')]
  }
  const others = startsOf(path, options).flatMap((start) =>
    start.from === 'root'
      ? basesOf(`/${start.path}`, from, options).toReversed()
      : [joinBelowPage(from, start.path)],
  )
  return [joinSource(from, path), ...others]
}

/** Returns the start of a root-relative path that stands for the content folder: its name, or its path in URLs. */
export function sitePrefix(path: string, { folderName, urlFolder }: SiteLinkOptions): string | undefined {
  const prefixes = [urlFolder, folderName].filter((name) => name !== undefined).map((name) => `/${name}`)
  return prefixes.find((prefix) => `${path}/`.startsWith(`${prefix}/`))
}

/** Returns a root-relative path without that start. */
export function pathInContent(path: string, options: SiteLinkOptions): string | undefined {
  const prefix = sitePrefix(path, options)
  return prefix === undefined ? undefined : path.slice(prefix.length)
}

/** Returns the other bases of a path that is not root-relative. */
function startsOf(path: string, { dialect, folderName }: SiteLinkOptions) {
  return path.startsWith('/') ? [] : (dialect.links.alternatives?.(path, folderName) ?? [])
}

/** Returns candidates for a translation's original: in the default language's folder, or above the language folders. */
export function originalsOf(source: string, { dialect, languages }: Placing): readonly string[] {
  const { language, path } = dialect.paths.splitLanguage(source.normalize('NFC'), languages)
  return language === undefined || language === languages[0] ? [] : [`${languages[0]}/${path}`, path]
}

/** Returns the source for a path that is relative to the URL of a page. */
export function joinBelowPage(from: string, path: string): string | undefined {
  return joinSource(`${from.replace(/(?:\/_?index)?\.[^./]+$/, '')}/page`, path)
}

function filesOf(base: string, options: SiteLinkOptions): string[] {
  const { dialect } = options
  const source = base.normalize('NFC')
  if (/\.mdx?$/.test(source)) return [source, ...suffixed(source, options)]
  const bare = source.replace(/\.html?$/, '').replace(/\/$/, '')
  const folder = bare === '' || bare === '.' ? '' : `${bare}/`
  const pages = dialect.links.indexFiles.map((page) => `${folder}${page}`)
  const files = folder === '' ? [] : dialect.paths.endings.map((ending) => `${bare}${ending}`)
  const found = source.endsWith('/') ? [...pages, ...files] : [...files, ...pages]
  return [...found, ...found.flatMap((file) => suffixed(file, options))]
}

/** Returns the files that `fr/page.md` means if the language may be a suffix of names, as in `page.fr.md`. */
function suffixed(source: string, { dialect, languages }: Placing): string[] {
  const { language, path } = splitLanguageFolder(source, languages)
  if (language === undefined) return []
  if (dialect.paths.splitLanguage(`page.${language}.md`, languages).language === undefined) return []
  const named = path.replace(/(\.[^./]+)$/, `.${language}$1`)
  return language === languages[0] ? [named, path] : [named]
}

/** Returns the paths that a link may refer to, from the root of the content. */
function routesOf(path: string, from: string, options: SiteLinkOptions): string[] {
  const { dialect } = options
  const bare = path.replace(/\.html?$/, '')
  if (bare.startsWith('/')) {
    const route = posix.normalize(bare)
    const own = pathInContent(route, options)
    const found = own === undefined ? [route] : [own, route]
    return dialect.links.ignoreCase ? [...found, ...found.map((each) => each.toLowerCase())] : found
  }
  const folders = foldersOf(from, options)
  // A link to its own folder does not refer to a page below its own URL.
  const isOwn = /^(?:\.\/?)?$/.test(bare)
  return (isOwn ? folders.slice(0, 1) : folders).flatMap((folder) =>
    leavesRoot(folder, bare) ? [] : [posix.join('/', folder, bare)],
  )
}

/** Returns the folders that links of a page may be relative to, likely ones first. */
export function foldersOf(from: string, options: SiteLinkOptions): string[] {
  const { dialect, routes } = options
  const place = parseSitePath(from, options)
  const written = routes?.get(from)
  const route = written ?? routeOf(place, dialect)
  const { begin } = dialect.links
  if (begin === 'page' || (written === undefined && place.isIndex)) return [route]
  const above = posix.dirname(`/${route}`)
  return begin === 'folder' ? [above] : [above, route]
}

/** Returns what, besides its folder, determines the targets of root-relative paths and Markdown paths in a file. */
export function linkBaseOf(from: string, options: SiteLinkOptions): readonly unknown[] {
  if (options.dialect.links.alternatives !== undefined) return [from]
  const { language } = parseSitePath(from, options)
  return [language, foldersOf(from, options)[0], options.routes?.has(from)]
}

function leavesRoot(folder: string, path: string): boolean {
  const way = posix.join(folder.replace(/^\/+/, '') || '.', path)
  return way === '..' || way.startsWith('../')
}

export function firstFound<From, To>(
  values: readonly From[],
  find: (value: From) => To | undefined,
): To | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}

/** Finds the item with a bare name at any level: the only one or the first, as the tool does. */
export function createFindNamed<T>(
  { dialect }: SiteLinkOptions,
  list: () => Iterable<readonly [name: string, value: T]>,
): (name: string) => T | undefined {
  let byName: ReadonlyMap<string, T | undefined> | undefined
  const index = (entries: readonly (readonly [string, T])[]) =>
    dialect.links.areFoundByName === 'first' ? new Map(entries.toReversed()) : onlyByKey(entries)
  return (name) => {
    if (!dialect.links.areFoundByName || name.includes('/')) return undefined
    const fold = (each: string) => (dialect.links.ignoreCase ? each.toLowerCase() : each)
    byName ??= index(Array.from(list(), ([key, value]) => [fold(key), value] as const))
    return byName.get(fold(name.normalize('NFC')))
  }
}

/** Finds the source of the only page with a name in a language. */
export function createFindNamedPage(
  options: SiteLinkOptions,
  list: () => Iterable<{ readonly source: string; readonly language: string }>,
): (name: string, language: string) => string | undefined {
  const keyOf = (name: string, language: string) => `${language}\0${name}`
  const { areFoundByName } = options.dialect.links
  const find = createFindNamed(options, () => {
    const pages = Array.from(list(), ({ source, language }) => {
      return [keyOf(pageName(parseSitePath(source, options)), language), source] as const
    })
    return areFoundByName === 'first' ? pages.toSorted(([, a], [, b]) => compareDepth(a, b)) : pages
  })
  // Without a tool, the name of a file is a path: the file with this name elsewhere may be another page.
  const nameOf = (name: string) => (options.dialect.isGeneric === true ? name : name.replace(/\.md$/, ''))
  return (name, language) => find(keyOf(nameOf(name), language))
}

/** Orders files of higher folders first. */
function compareDepth(one: string, other: string): number {
  return one.split('/').length - other.split('/').length || (one < other ? -1 : 1)
}

/** Returns the entries by key; undefined if several have the same key. */
export function onlyByKey<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T | undefined> {
  const only = new Map<string, T | undefined>()
  for (const [key, value] of entries) only.set(key, only.has(key) ? undefined : value)
  return only
}
