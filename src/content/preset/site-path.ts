import { NOT_IN_SLUGS } from '../../api/contract/fields.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import type { FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import { slugOfSource } from '../frontmatter/build-document.ts'

/** The tool, and the languages that a path can contain, the default language first. */
export interface Placing {
  readonly dialect: Dialect
  readonly languages: readonly string[]
}

export type SitePath = ReturnType<typeof parseSitePath>

/** Parses the path of a file like the tool. Pure. */
export function parseSitePath(source: string, { dialect, languages }: Placing) {
  const { language, path } = dialect.paths.splitLanguage(source.normalize('NFC'), languages)
  const folders = path.split('/')
  const file = folders.pop() ?? ''
  const name = file.replace(/\.[^.]+$/, '')
  return {
    /** Undefined: the default language. */
    language: language === languages[0] ? undefined : language,
    /** Folders as spelled on disk, without the folder of the language. */
    folders,
    /** The file name without language and extension. */
    name,
    /** Equal for a file and its translations. */
    key: [...folders, name].join('/'),
    /** True if it represents its folder. */
    isIndex: dialect.paths.isIndex(name, folders.at(-1), file.slice(name.length)),
  }
}

/** Returns the name of a page. A folder that is a page has the name of the folder. */
export function pageName({ isIndex, folders, name }: SitePath): string {
  return isIndex ? (folders.at(-1) ?? '') : name
}

/** The parts of a page's path that its frontmatter can set. */
export interface WrittenRoute {
  /** Root-relative if it starts with a slash, otherwise relative to the folder of the file. */
  readonly address?: string | undefined
  /** Replaces the file name. */
  readonly name?: string | undefined
}

/** Returns the path of a file's page in the tool, without outer slashes and language; '' is the root. Pure. */
export function routeOf(place: SitePath, { paths }: Dialect, written: WrittenRoute = {}): string {
  const folders = place.folders.map(paths.routePart)
  const folder = folders.join('/')
  const { address, name } = written
  if (address !== undefined) return addressed(address, paths.addressesFrom === 'folder' ? folder : '')
  if (!place.isIndex) return join(folder, name ?? (paths.routePart(place.name) || place.name))
  // The page of a bundle has its own name; any other index represents its folder.
  return paths.hasBundles && name !== undefined ? join(folders.slice(0, -1).join('/'), name) : folder
}

/** Returns the route for a root-relative path of the site. */
export function routeOfAddress(address: string): string {
  return addressed(address, '')
}

export function folderRoute(folders: readonly string[], { paths }: Dialect): string {
  return folders.map(paths.routePart).join('/')
}

/** Converts a route to a slug, which contains no slash. */
export function slugOfRoute(route: string): string {
  const slug = route
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('-')
    .replaceAll(NOT_IN_SLUGS, '-')
  // Splitting a text into characters takes as long as the rest.
  return slug.length <= 200 ? slug || 'index' : Array.from(slug).slice(0, 200).join('')
}

function addressed(address: string, folder: string): string {
  const path = address.replace(/^https?:\/\/[^/]+/i, '').replace(/\.html?$/, '')
  return join(path.startsWith('/') ? '' : folder, path)
}

function join(folder: string, path: string): string {
  return `${folder}/${path}`.split('/').reduce<string[]>(step, []).join('/')
}

function step(parts: string[], part: string): string[] {
  if (part === '' || part === '.') return parts
  if (part === '..') return parts.slice(0, -1)
  parts.push(part)
  return parts
}

/** Returns the default slug of a file: from its path in the tool's site; without a preset, see `slugOfSource`. */
export function defaultSlugOf(
  source: string,
  mapping: Pick<FrontmatterMapping, 'preset' | 'languages'> | undefined,
): string {
  if (mapping?.preset === undefined) return slugOfSource(source)
  const { preset, languages } = mapping
  const dialect = dialectOf(preset)
  return slugOfRoute(routeOf(parseSitePath(source, { dialect, languages }), dialect))
}
