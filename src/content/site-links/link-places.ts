// Where the article may be that a link of a tool names. Links are addresses as often as they are paths of files there.
import { posix } from 'node:path'
import type { FrontmatterMapping } from '../../core/model/frontmatter-mapping.ts'
import type { PresetName } from '../../core/model/preset-name.ts'
import { joinSource } from '../source/link-address.ts'
import { placeOfFile } from '../preset/file-place.ts'
import { routeOf, slugOfRoute } from '../preset/route-of.ts'

/** What of the configuration links depend on. */
export type SiteLinkOptions = Pick<FrontmatterMapping, 'languages' | 'folderName'> & {
  readonly preset: PresetName
  /** Addresses that files give themselves, by source; links are resolved from there on. */
  readonly routes?: ReadonlyMap<string, string> | undefined
}

/** Undefined where the content is no tool's. */
export function siteLinkOptions(mapping: FrontmatterMapping | undefined): SiteLinkOptions | undefined {
  if (mapping?.preset === undefined) return undefined
  const { preset, languages, folderName } = mapping
  return { preset, languages, folderName }
}

/** What a link may mean: files, likely ones first, and slugs of addresses. */
export interface LinkPlaces {
  readonly sources: readonly string[]
  readonly slugs: readonly string[]
  /** Addresses from the root of the content on, likely ones first. */
  readonly routes: readonly string[]
}

/** @param path decoded, without query and fragment; `@site` is taken away already */
export function candidatePlaces(path: string, from: string, options: SiteLinkOptions): LinkPlaces {
  const bases = basesOf(path, from, options).filter((base) => base !== undefined)
  const sources = bases.flatMap((base) => filesOf(base, options.preset))
  if (/\.mdx?$/.test(path)) return { sources, slugs: [], routes: [] }
  const routes = routesOf(path, from, options)
  return { sources, slugs: [...new Set(routes.map(slugOfRoute))], routes }
}

function basesOf(path: string, from: string, { preset, folderName, languages }: SiteLinkOptions) {
  if (path.startsWith('/')) {
    const own = path.startsWith(`/${folderName}/`) ? path.slice(folderName.length + 1) : undefined
    const { language } = placeOfFile(from, { preset, languages })
    // In a folder of its own language, a path from the root means the page in that language.
    const translated = preset === 'hugo' ? joinSource(from, `/${language ?? languages[0]}${path}`) : undefined
    return [translated, joinSource(from, path), own === undefined ? undefined : joinSource(from, own)]
  }
  const beside = joinSource(from, path)
  if (preset === 'vitepress') return [beside]
  if (preset === 'docusaurus') {
    // A path of a file that does not begin with a dot may begin at the content folder or at the site as well.
    const isFree = /^[^.].*\.mdx?$/.test(path)
    const own = path.startsWith(`${folderName}/`) ? path.slice(folderName.length) : undefined
    return [beside, isFree ? joinSource(from, `/${path}`) : undefined, own && joinSource(from, own)]
  }
  const below = path.endsWith('.md') ? undefined : joinSource(`${withoutEnding(from)}/page`, path)
  return [beside, below, joinSource(from, `/${path}`)]
}

function withoutEnding(source: string): string {
  return source.replace(/(?:\/_?index)?\.[^./]+$/, '')
}

const FOLDER_PAGES: Readonly<Record<PresetName, readonly string[]>> = {
  docusaurus: ['index.md', 'index.mdx', 'README.md', 'README.mdx', 'readme.md'],
  vitepress: ['index.md'],
  hugo: ['index.md', '_index.md'],
}

function filesOf(base: string, preset: PresetName): string[] {
  const source = base.normalize('NFC')
  if (/\.mdx?$/.test(source)) return [source]
  const bare = source.replace(/\.html?$/, '').replace(/\/$/, '')
  const folder = bare === '' || bare === '.' ? '' : `${bare}/`
  const pages = FOLDER_PAGES[preset].map((page) => `${folder}${page}`)
  const files = folder === '' ? [] : [`${bare}.md`, ...(preset === 'docusaurus' ? [`${bare}.mdx`] : [])]
  return source.endsWith('/') ? [...pages, ...files] : [...files, ...pages]
}

/** The addresses that a link may mean, from the root of the content on. */
function routesOf(path: string, from: string, options: SiteLinkOptions): string[] {
  const { preset, folderName } = options
  const bare = path.replace(/\.html?$/, '')
  if (bare.startsWith('/')) {
    const route = posix.normalize(bare)
    const own = `/${folderName}`
    const found = route === own || route.startsWith(`${own}/`) ? [route.slice(own.length), route] : [route]
    // Hugo's addresses are in lower case, and its templates look for pages in any.
    return preset === 'hugo' ? [...found, ...found.map((each) => each.toLowerCase())] : found
  }
  const folders = foldersOf(from, options)
  // What leads to its own folder leads to no page below its own address.
  const isOwn = /^(?:\.\/?)?$/.test(bare)
  return (isOwn ? folders.slice(0, 1) : folders).flatMap((folder) =>
    leavesRoot(folder, bare) ? [] : [posix.join('/', folder, bare)],
  )
}

/** From where the links of a page go on, likely ones first: a site of Docusaurus may end its addresses in a slash. */
export function foldersOf(from: string, { preset, languages, routes }: SiteLinkOptions): string[] {
  const place = placeOfFile(from, { preset, languages })
  const written = routes?.get(from)
  const route = written ?? routeOf(place, preset)
  if (preset === 'hugo') return [route]
  const above = posix.dirname(`/${route}`)
  if (written === undefined && place.isIndex) return [route]
  return preset === 'docusaurus' ? [above, route] : [above]
}

function leavesRoot(folder: string, path: string): boolean {
  const way = posix.join(folder.replace(/^\/+/, '') || '.', path)
  return way === '..' || way.startsWith('../')
}
