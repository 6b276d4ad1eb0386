// The categories that folders make, and the categories and tags that only articles name.
import { slug as headingSlug } from 'github-slugger'
import { formatCategoryPath, parseCategoryPath } from '../../core/category-path.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { type LocalCategory, type LocalTag, lookUp } from '../../core/model/taxonomy.ts'
import { humanise, numberOf, withoutNumber } from '../../core/numbered-name.ts'
import { folderRoute, routeOfAddress, slugOfRoute } from './site-path.ts'
import type { FolderTexts } from './read-folder-file.ts'

/** What is known of a folder, by language; null is the default one. */
export type TextsOfFolder = (folder: string) => ReadonlyMap<string | null, FolderTexts>

/** The folder on disk, or the file that describes it. */
export type SourceOfFolder = (folder: string) => string

interface FolderTree {
  /** A parent before its children. */
  readonly categories: readonly LocalCategory[]
  /** The folders that they are made of. */
  readonly folders: readonly string[]
  /** Whether a folder is what its category is made of: of two with one name in one place, only the first is. */
  readonly isOwn: (folder: string) => boolean
  /** Names from the root down. */
  readonly pathOf: (folder: string) => readonly string[]
}

/**
 * Makes a category of each folder and of each above it. Two folders of one name in one place are one category.
 *
 * @param folders as they are called on disk, joined by `/`
 */
export function createFolderTree(
  folders: Iterable<string>,
  { textsOf, sourceOf }: { readonly textsOf: TextsOfFolder; readonly sourceOf: SourceOfFolder },
  dialect: Dialect,
): FolderTree {
  const freeSlug = createFreeNames()
  const paths = new Map<string, readonly string[]>()
  const categories = new Map<string, LocalCategory>()
  const own = new Set<string>()
  const place = (folder: string): readonly string[] => {
    const known = paths.get(folder)
    if (known !== undefined) return known
    const parts = folder.split('/')
    const above = parts.slice(0, -1)
    const texts = textsOf(folder)
    const said = texts.get(null)
    const name = said?.name ?? humanise(parts.at(-1) ?? '')
    const path = [...(above.length === 0 ? [] : place(above.join('/'))), name]
    paths.set(folder, path)
    const key = formatCategoryPath(path)
    if (categories.has(key)) return path
    own.add(folder)
    const slug = freeSlug(slugOfRoute(folderRoute(parts, dialect)))
    categories.set(key, {
      ...NO_CATEGORY,
      name,
      slug,
      path,
      priority: said?.order ?? numberOf(parts.at(-1) ?? ''),
      description: said?.description,
      longDescription: said?.longDescription,
      translations: translationsOf(texts, name, slug),
      source: sourceOf(folder),
    })
    return path
  }
  for (const folder of [...folders].toSorted()) place(folder)
  return {
    categories: [...categories.values()],
    folders: [...paths.keys()],
    isOwn: (folder) => own.has(folder),
    pathOf: place,
  }
}

/** A category of which nothing is known. */
const NO_CATEGORY = {
  priority: undefined,
  description: undefined,
  longDescription: undefined,
  thumbnailUrl: undefined,
  iconUrl: undefined,
  translations: {},
  id: undefined,
  line: 1,
} as const

function translationsOf(
  texts: ReadonlyMap<string | null, FolderTexts>,
  name: string,
  slug: string,
): LocalCategory['translations'] {
  return Object.fromEntries(
    [...texts].flatMap(([language, { name: translated, description, longDescription }]) => {
      const isSaid = [translated, description, longDescription].some((text) => text !== undefined)
      if (language === null || !isSaid) return []
      const told = { ...(longDescription !== undefined && { longDescription }) }
      return [[language, { name: translated ?? name, slug, description, ...told }] as const]
    }),
  )
}

/** The page with which a tool lists what lies in a folder, where that folder became a category. */
export interface FolderPage {
  /** As it is called on disk, joined by `/`, its language left out. */
  readonly folder: string
  /** Names the category, as articles do. */
  readonly category: string
  readonly routes: readonly FolderRoute[]
}

/** An address of such a page, without slashes at its ends. */
interface FolderRoute {
  /** null is the default one. */
  readonly language: string | null
  readonly route: string
}

/**
 * The pages that the tool makes of folders. Pure.
 *
 * @param folders those that became categories
 */
export function folderPages(
  folders: Iterable<string>,
  {
    textsOf,
    categoryOf,
  }: { readonly textsOf: TextsOfFolder; readonly categoryOf: (folder: string) => string },
  dialect: Dialect,
): FolderPage[] {
  const { pages } = dialect.folders
  if (pages === undefined) return []
  return [...folders].flatMap((folder) => {
    const texts = textsOf(folder)
    if (pages !== 'every' && texts.get(null)?.isListed !== true) return []
    const written =
      pages === 'every' ? writtenRoutes(texts) : listRoutes(folder, texts.get(null), pages.below)
    const own = { language: null, route: folderRoute(folder.split('/'), dialect) }
    return [{ folder, category: categoryOf(folder), routes: [own, ...written] }]
  })
}

/** The addresses that the files of the folder name. */
function writtenRoutes(texts: ReadonlyMap<string | null, FolderTexts>): FolderRoute[] {
  return [...texts].flatMap(([language, { address }]) => {
    if (address === undefined) return []
    const route = routeOfAddress(address)
    // Whether a written address has its language in front of it already, its first slash tells.
    const below = language === null || route.startsWith(`${language}/`) ? [] : [`${language}/${route}`]
    return [route, ...below].map((each) => ({ language, route: each }))
  })
}

/** The address of the list of a folder: translations have the same. */
function listRoutes(folder: string, texts: FolderTexts | undefined, root: string): FolderRoute[] {
  const [first = '', ...below] = folder.split('/')
  const label = texts?.name ?? withoutNumber(below.at(-1) ?? first)
  const route = routeOfAddress(texts?.address ?? `${root}/${headingSlug(label)}`)
  // Where the content folder is the root of the site, the documents lie in a folder that is part of the address.
  const routes = below.length === 0 ? [route] : [route, `${withoutNumber(first)}/${route}`]
  return routes.map((each) => ({ language: null, route: each }))
}

/** A name in an article. */
export interface NamedTerm {
  readonly name: string
  /** Of the article. */
  readonly source: string
}

/**
 * Categories, and those that articles name beside them.
 *
 * @param isApart whether a name that fits several folders is none of them, as where folders are no categories of the tool
 */
export function withNamed(
  categories: readonly LocalCategory[],
  named: readonly NamedTerm[],
  isApart: boolean,
): LocalCategory[] {
  const all = [...categories]
  const freeSlug = createFreeNames()
  for (const { slug } of all) freeSlug(slug ?? '')
  // A name alone may mean one that others write with its path.
  const sources = firstSources(named)
  const references = [...sources].toSorted(([a], [b]) => depthOf(b) - depthOf(a) || (a < b ? -1 : 1))
  for (const [reference, source] of references) {
    const { kind } = lookUp(reference, all)
    if (kind === 'found' || (kind === 'ambiguous' && !isApart)) continue
    const path = parseCategoryPath(reference)
    for (const end of path.keys()) {
      const way = path.slice(0, end + 1)
      if (all.some((each) => formatCategoryPath(each.path) === formatCategoryPath(way))) continue
      const slug = freeSlug(slugOfName(way.join('/')))
      all.push({ ...NO_CATEGORY, name: way.at(-1) ?? '', slug, path: way, source })
    }
  }
  return all
}

/** The first source of each name. */
function firstSources(named: readonly NamedTerm[]): ReadonlyMap<string, string> {
  return new Map(named.toReversed().map(({ name, source }) => [name, source]))
}

interface DescribedTag extends NamedTerm {
  readonly key: string
  readonly description: string | undefined
  readonly line: number
}

/** The tags that a file of the tool describes, and those that articles name beside them. */
export function nameTags(described: readonly DescribedTag[], named: readonly NamedTerm[]): LocalTag[] {
  const freeSlug = createFreeNames()
  const rest = { longDescription: undefined, translations: {}, id: undefined }
  const all: LocalTag[] = described.map(({ key, name, description, source, line }) => ({
    ...rest,
    name,
    // Articles name a tag by its key.
    slug: freeSlug(slugOfRoute(key)),
    description,
    source,
    line,
  }))
  for (const [name, source] of [...firstSources(named)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (lookUp(name, all).kind !== 'none') continue
    all.push({ ...rest, name, slug: freeSlug(slugOfName(name)), description: undefined, source, line: 1 })
  }
  return all
}

function depthOf(reference: string): number {
  return parseCategoryPath(reference).length
}

function slugOfName(name: string): string {
  return slugOfRoute(name.toLowerCase())
}

/** Makes names that are each given out once: `guides`, `guides-2`. */
export function createFreeNames(): (wanted: string) => string {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return (wanted) => {
    let count = counts.get(wanted) ?? 1
    const nameOf = () => (count === 1 ? wanted : `${wanted}-${count}`)
    while (taken.has(nameOf())) count++
    counts.set(wanted, count)
    taken.add(nameOf())
    return nameOf()
  }
}
