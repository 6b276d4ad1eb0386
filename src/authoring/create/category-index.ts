import type { LocalArticle } from '../../core/model/document.ts'
import { type LocalCategory, type LocalTaxonomy, lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath, parseCategoryPath } from '../../core/category-path.ts'
import { groupBy } from '../../core/group-by.ts'
import type { CategoryChoice } from './create-options.ts'
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
