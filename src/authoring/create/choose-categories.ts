import { dirname } from 'node:path'
import type { LocalArticle } from '../../core/model/document.ts'
import { type LocalCategory, type LocalTaxonomy, lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath, parseCategoryPath } from '../../core/category-path.ts'
import { groupBy } from '../../core/group-by.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { CategoryChoice, CreateOptions } from './create-options.ts'
import { slugOfTitle } from './slug-of-title.ts'

/** Resolves category references in articles, as far as local files show. */
export type CategoryIndex = Readonly<ReturnType<typeof createCategoryIndex>>

type Article = Pick<LocalArticle, 'categories'>

export function createCategoryIndex(articles: readonly Article[], { categories }: LocalTaxonomy) {
  const entries = categories ?? []
  const find = (reference: string): LocalCategory | undefined => {
    const found = lookUp(reference, entries)
    return found.kind === 'found' ? found.entry : undefined
  }
  /** Returns names from the root down; only the reference itself if no file lists it. */
  const pathOf = (reference: string) => find(reference)?.path ?? parseCategoryPath(reference.normalize('NFC'))
  return {
    pathOf,
    /** Returns slugs from the root down, or slugs made from names. */
    slugsOf: (reference: string) => {
      const path = pathOf(reference)
      return path.map((name, index) => {
        const ancestor = find(formatCategoryPath(path.slice(0, index + 1)))
        return ancestor?.slug ?? slugOfTitle(name)
      })
    },
    /** In the order of the file; without one, the names in articles. */
    choices: listChoices(articles, entries, (reference) => formatCategoryPath(pathOf(reference))),
  }
}

function listChoices(
  articles: readonly Article[],
  entries: readonly LocalCategory[],
  keyOf: (reference: string) => string,
): readonly CategoryChoice[] {
  const used = groupBy(
    articles.flatMap(({ categories }) => categories),
    keyOf,
  )
  const listed = entries.map(({ path, name }) => {
    const key = formatCategoryPath(path)
    const references = used.get(key) ?? []
    const plain = lookUp(name, entries).kind === 'found' ? name : key
    return { reference: mostFrequent(references) ?? plain, path: key, articles: references.length }
  })
  if (entries.length > 0) return listed
  return [...used].map(([path, references]) => ({
    reference: mostFrequent(references) ?? path,
    path,
    articles: references.length,
  }))
}

function mostFrequent(references: readonly string[]): string | undefined {
  const groups = [...groupBy(references, (reference) => reference).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0]
}

const SHOWN = 20

/**
 * Returns the categories of a new article as written in its file: the requested ones, else those of the original, of
 * the folder, of the configuration, the only one, or one chosen by the user.
 *
 * @throws KbError USAGE
 */
export async function chooseCategories(
  { categories = [], chooseCategory, settings }: CreateOptions,
  original: LocalArticle | undefined,
  { choices }: CategoryIndex,
  ofFolder: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (categories.length > 0) return [...new Set(categories)]
  if (original !== undefined) return original.categories
  if (ofFolder !== undefined) return ofFolder
  if (settings.defaults.categories.length > 0) return settings.defaults.categories
  const [only, other] = choices
  if (only !== undefined && other === undefined) return [only.reference]
  if (choices.length > 0 && chooseCategory !== undefined) return [await chooseCategory(choices)]
  throw new KbError('USAGE', 'The article needs a category. Nothing was written.', {
    hint: only === undefined ? 'Add one with --category.' : `Use --category with one of: ${listOf(choices)}.`,
  })
}

interface FolderSearch {
  readonly articles: readonly LocalArticle[]
  readonly placed: LoadedContent['placed']
  readonly index: CategoryIndex
  /** True if `_categories.yml` lists all categories. */
  readonly isListed: boolean
}

/** Returns the categories that a preset derives from a folder, or that all articles in it have; undefined if unknown. */
export function categoriesOfFolder(folder: string, search: FolderSearch): readonly string[] | undefined {
  const { articles, placed, index, isListed } = search
  const derived = placed?.(folder === '' ? 'new.md' : `${folder}/new.md`).categories
  const isKnown = (reference: string) =>
    index.choices.some(({ path }) => path === formatCategoryPath(index.pathOf(reference)))
  if (derived !== undefined && (!isListed || derived.every(isKnown))) return derived
  const beside = articles.filter(({ source }) => dirname(source) === (folder === '' ? '.' : folder))
  const [only, other] = new Map(
    beside.map(({ categories }) => [JSON.stringify(categories), categories]),
  ).values()
  return other === undefined ? only : undefined
}

function listOf(choices: CategoryIndex['choices']): string {
  const shown = choices.slice(0, SHOWN).map(({ reference }) => reference)
  const rest = choices.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
