import type { FrontmatterMapping } from '../../core/model/frontmatter-mapping.ts'
import type { PresetName } from '../../core/model/preset-name.ts'
import { type FilePlace, placeOfFile } from './file-place.ts'
import { withoutNumber } from './number-prefix.ts'

/** What a file may say of its address beside its name. */
export interface WrittenRoute {
  /** From the site's root on where it begins with a slash, else from the folder of the file on. */
  readonly address?: string | undefined
  /** In place of the file's name. */
  readonly name?: string | undefined
}

/**
 * The address that the tool gives a file, without slashes at its ends and without its language; '' is the root. Pure.
 */
export function routeOf(place: FilePlace, preset: PresetName, written: WrittenRoute = {}): string {
  const folders = place.folders.map((folder) => routePart(folder, preset))
  const folder = folders.join('/')
  const { address, name } = written
  if (address !== undefined) return addressed(address, preset === 'docusaurus' ? folder : '')
  // A leaf bundle of Hugo is called by its slug; an index of the others stands for its folder whatever its id.
  if (place.isIndex) return preset === 'hugo' && name !== undefined ? renamed(folders, name) : folder
  return join(folder, name ?? routePart(place.name, preset))
}

/** The route that an address from the site's root on names. */
export function routeOfAddress(address: string): string {
  return addressed(address, '')
}

/** The route of a folder. */
export function folderRoute(folders: readonly string[], preset: PresetName): string {
  return folders.map((folder) => routePart(folder, preset)).join('/')
}

/** A route as slug: a slug has no slash. */
export function slugOfRoute(route: string): string {
  const slug = route
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('-')
    .replaceAll(/[\s?#]+/gu, '-')
  return slug === '' ? 'index' : Array.from(slug).slice(0, 200).join('')
}

/** The slug of a file that says nothing of it. */
export function slugOfFile(
  source: string,
  preset: PresetName,
  { languages }: Pick<FrontmatterMapping, 'languages'>,
): string {
  return slugOfRoute(routeOf(placeOfFile(source, { preset, languages }), preset))
}

function routePart(name: string, preset: PresetName): string {
  if (preset === 'docusaurus') return withoutNumber(name)
  return preset === 'hugo' ? name.toLowerCase().replaceAll(/\s+/g, '-') : name
}

function addressed(address: string, folder: string): string {
  const path = address.replace(/^https?:\/\/[^/]+/i, '').replace(/\.html?$/, '')
  return join(path.startsWith('/') ? '' : folder, path)
}

function renamed(folders: readonly string[], name: string): string {
  return join(folders.slice(0, -1).join('/'), name)
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
