import { slug as headingSlug } from 'github-slugger'
import type { PresetName } from '../../core/model/preset-name.ts'
import type { TextsOfFolder } from './folder-tree.ts'
import { withoutNumber } from './number-prefix.ts'
import type { FolderTexts } from './read-folder-file.ts'
import { folderRoute, routeOfAddress } from './route-of.ts'

/** The page with which a tool lists what lies in a folder, where that folder became a category. */
export interface FolderPage {
  /** As it is called on disk, joined by `/`, its language left out. */
  readonly folder: string
  /** Names the category, as articles do. */
  readonly category: string
  readonly routes: readonly FolderRoute[]
}

/** An address of such a page, without slashes at its ends. */
export interface FolderRoute {
  /** `''` is the default one. */
  readonly language: string
  readonly route: string
}

/**
 * The pages of folders. Hugo makes one of every folder, Docusaurus of those that ask for it, VitePress none. Pure.
 *
 * @param folders those that became categories
 */
export function folderPages(
  folders: Iterable<string>,
  {
    textsOf,
    categoryOf,
  }: { readonly textsOf: TextsOfFolder; readonly categoryOf: (folder: string) => string },
  preset: PresetName,
): FolderPage[] {
  if (preset === 'vitepress') return []
  return [...folders].flatMap((folder) => {
    const texts = textsOf(folder)
    if (preset === 'docusaurus' && texts.get('')?.isListed !== true) return []
    const written = preset === 'hugo' ? writtenRoutes(texts) : listRoutes(folder, texts.get(''))
    const own = { language: '', route: folderRoute(folder.split('/'), preset) }
    return [{ folder, category: categoryOf(folder), routes: [own, ...written] }]
  })
}

/** The addresses that Hugo's files of the folder name. */
function writtenRoutes(texts: ReadonlyMap<string, FolderTexts>): FolderRoute[] {
  return [...texts].flatMap(([language, { address }]) => {
    if (address === undefined) return []
    const route = routeOfAddress(address)
    // Whether a written address has its language in front of it already, Hugo tells by its first slash.
    const below = language === '' || route.startsWith(`${language}/`) ? [] : [`${language}/${route}`]
    return [route, ...below].map((each) => ({ language, route: each }))
  })
}

/** The address of Docusaurus' list of a folder: translations have the same. */
function listRoutes(folder: string, texts: FolderTexts | undefined): FolderRoute[] {
  const [first = '', ...below] = folder.split('/')
  const label = texts?.name ?? withoutNumber(below.at(-1) ?? first)
  const route = routeOfAddress(texts?.address ?? `category/${headingSlug(label)}`)
  // Where the content folder is the root of the site, the documents lie in a folder that is part of the address.
  const routes = below.length === 0 ? [route] : [route, `${withoutNumber(first)}/${route}`]
  return routes.map((each) => ({ language: '', route: each }))
}
