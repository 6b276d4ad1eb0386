import type { LocalCategory } from '../../core/model/taxonomy.ts'
import type { PresetName } from '../../core/model/preset-name.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { createFreeNames } from './free-names.ts'
import { humanise } from './humanise.ts'
import { numberOf } from './number-prefix.ts'
import type { FolderTexts } from './read-folder-file.ts'
import { folderRoute, slugOfRoute } from './route-of.ts'

/** What is known of a folder, by language; `''` is the default one. */
export type TextsOfFolder = (folder: string) => ReadonlyMap<string, FolderTexts>

/** The folder on disk, or the file that describes it. */
export type SourceOfFolder = (folder: string) => string

export interface FolderTree {
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
  preset: PresetName,
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
    const said = texts.get('')
    const name = said?.name ?? humanise(parts.at(-1) ?? '')
    const path = [...(above.length === 0 ? [] : place(above.join('/'))), name]
    paths.set(folder, path)
    const key = formatCategoryPath(path)
    if (categories.has(key)) return path
    own.add(folder)
    const slug = freeSlug(slugOfRoute(folderRoute(parts, preset)))
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
export const NO_CATEGORY = {
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
  texts: ReadonlyMap<string, FolderTexts>,
  name: string,
  slug: string,
): LocalCategory['translations'] {
  return Object.fromEntries(
    [...texts].flatMap(([language, { name: translated, description, longDescription }]) => {
      const isSaid = [translated, description, longDescription].some((text) => text !== undefined)
      if (language === '' || !isSaid) return []
      const told = { ...(longDescription !== undefined && { longDescription }) }
      return [[language, { name: translated ?? name, slug, description, ...told }] as const]
    }),
  )
}
