import { compareTexts } from '../../../core/compare-texts.ts'
import type { CategoryCounts } from '../status-source.ts'
import type { ReviewStatus } from './summarize-reviews.ts'

export interface CategorySummary extends CategoryCounts {
  /** Number of broken links in its articles. */
  readonly broken: number
}

/** Counts by category. An article in two categories counts in both, one without a category in none. */
export type CategoryCounter = ReturnType<typeof createCategoryCounter>

type Totals = Record<keyof Omit<CategorySummary, 'category'>, number>

/** Creates a counter by category, in memory bounded by the number of categories. */
export function createCategoryCounter() {
  const totals = new Map<string, Totals>()

  const addTo = (categories: readonly string[], change: (category: Totals) => void): void => {
    for (const category of new Set(categories)) {
      const known = totals.get(category) ?? { articles: 0, overdue: 0, due: 0, broken: 0 }
      totals.set(category, known)
      change(known)
    }
  }

  return {
    /** Counts one article; `status` is undefined if its review date is unknown. */
    addArticle: (categories: readonly string[], status: ReviewStatus | undefined) =>
      addTo(categories, (category) => {
        category.articles += 1
        if (status === 'overdue' || status === 'due') category[status] += 1
      }),
    addCounts: ({ category, articles, overdue, due }: Omit<CategorySummary, 'broken'>) =>
      addTo([category], (known) => {
        known.articles += articles
        known.overdue += overdue
        known.due += due
      }),
    /** Counts broken links of an article in these categories; default: one. */
    addBrokenLinks: (categories: readonly string[], count: number = 1) =>
      addTo(categories, (category) => (category.broken += count)),
    /** Returns the counts by path, parents before children. */
    summary: () => [...totals].toSorted(byPath).map(([category, each]) => ({ category, ...each })),
  }
}

function byPath([a]: readonly [string, Totals], [b]: readonly [string, Totals]): number {
  return compareTexts(sortKey(a), sortKey(b))
}

/** Sorts `A/B` before `A B`, although a space sorts before a slash. */
function sortKey(path: string): string {
  return path.replaceAll('/', '\u0000')
}
