// Categories derived from folders, and categories and tags that only articles name.
import { slug as headingSlug } from 'github-slugger'
import { formatCategoryPath, parseCategoryPath } from '../../core/category-path.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { type LocalCategory, type LocalTag, lookUp } from '../../core/model/taxonomy.ts'
import { humanise, numberOf, withoutNumber } from '../../core/numbered-name.ts'
import { folderRoute, routeOfAddress, slugOfRoute } from './site-path.ts'
import type { FolderTexts } from './read-folder-file.ts'

/** Returns the texts of a folder by language; null is the default language. */
export type TextsOfFolder = (folder: string) => ReadonlyMap<string | null, FolderTexts>

/** Returns the folder on disk, or the file that describes it. */
export type SourceOfFolder = (folder: string) => string

/**
 * Creates a category for each folder and its parents. Two folders with the same name and parent become one category.
 *
 * @param folders as spelled on disk, joined by `/`
 */
export function createFolderTree(
  folders: Iterable<string>,
  { textsOf, sourceOf }: { readonly textsOf: TextsOfFolder; readonly sourceOf: SourceOfFolder },
  dialect: Dialect,
) {
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
    const slug = freeSlug(slugOfRoute(folderRoute(parts, dialect) || headingSlug(name)))
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
    /** Parents before their children. */
    categories: [...categories.values()],
    folders: [...paths.keys()],
    /** True if the category comes from this folder. Of two with the same name and parent, the first counts. */
    isOwn: (folder: string) => own.has(folder),
    /** Names from the root down. */
    pathOf: place,
  }
}

/** A category without data. */
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

function translationsOf(texts: ReadonlyMap<string | null, FolderTexts>, name: string, slug: string) {
  return Object.fromEntries(
    [...texts].flatMap(([language, { name: translated, description, longDescription }]) => {
      const isSaid = [translated, description, longDescription].some((text) => text !== undefined)
      if (language === null || !isSaid) return []
      const told = { ...(longDescription !== undefined && { longDescription }) }
      return [[language, { name: translated ?? name, slug, description, ...told }] as const]
    }),
  )
}

/** The page that lists a folder in a tool, if that folder became a category. */
export interface FolderPage {
  /** As spelled on disk, joined by `/`, without its language. */
  readonly folder: string
  /** Identifies the category, as in articles. */
  readonly category: string
  readonly routes: readonly FolderRoute[]
}

/** A path of such a page, without slashes at its ends. */
interface FolderRoute {
  /** null is the default language. */
  readonly language: string | null
  readonly route: string
}

/** Returns the pages that the tool creates for `folders`, which became categories. Pure. */
export function folderPages(
  folders: Iterable<string>,
  textsOf: TextsOfFolder,
  categoryOf: (folder: string) => string,
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

/** Returns the paths that the files of the folder set. */
function writtenRoutes(texts: ReadonlyMap<string | null, FolderTexts>): FolderRoute[] {
  return [...texts].flatMap(([language, { address }]) => {
    if (address === undefined) return []
    const route = routeOfAddress(address)
    // The first part of such a path may be its language.
    const below = language === null || route.startsWith(`${language}/`) ? [] : [`${language}/${route}`]
    return [route, ...below].map((each) => ({ language, route: each }))
  })
}

/** Returns the path of a folder's list; it is the same for translations. */
function listRoutes(folder: string, texts: FolderTexts | undefined, root: string): FolderRoute[] {
  const [first = '', ...below] = folder.split('/')
  const label = texts?.name ?? withoutNumber(below.at(-1) ?? first)
  const route = routeOfAddress(texts?.address ?? `${root}/${headingSlug(label)}`)
  // If the content folder is the root of the site, the path contains the folder of the documents.
  const routes = below.length === 0 ? [route] : [route, `${withoutNumber(first)}/${route}`]
  return routes.map((each) => ({ language: null, route: each }))
}

export interface NamedTerm {
  readonly name: string
  readonly source: string
}

/**
 * Adds categories that only articles name.
 *
 * @param isApart true if a name that matches several folders is a separate category, as with tools whose folders are
 *   not categories
 */
export function withNamed(
  categories: readonly LocalCategory[],
  named: readonly NamedTerm[],
  isApart: boolean,
): LocalCategory[] {
  const all = [...categories]
  const freeSlug = createFreeNames()
  for (const { slug } of all) freeSlug(slug ?? '')
  // A single name may refer to one that other articles write with its path.
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

function firstSources(named: readonly NamedTerm[]): ReadonlyMap<string, string> {
  return new Map(named.toReversed().map(({ name, source }) => [name, source]))
}

interface DescribedTag extends NamedTerm {
  readonly key: string
  readonly description: string | undefined
  readonly line: number
}

/** Returns the tags in a file of the tool, and others that articles name. */
export function nameTags(described: readonly DescribedTag[], named: readonly NamedTerm[]): LocalTag[] {
  const freeSlug = createFreeNames()
  const rest = { longDescription: undefined, translations: {}, id: undefined }
  const all: LocalTag[] = described.map(({ key, name, description, source, line }) => ({
    ...rest,
    name,
    // Articles refer to a tag by its key.
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

/** Returns a function that makes names unique: `guides`, `guides-2`. */
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
