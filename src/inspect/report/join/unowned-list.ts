import { compareTexts } from '../../../core/compare-texts.ts'
import { createLeast } from '../../../web/dashboard/summary/least.ts'
import { REPORT_LIST_LIMIT, type ReportedArticle, type UnownedArticle } from '../../../web/report/report.ts'

export interface UnownedList {
  readonly add: (article: ReportedArticle) => void
  /** By title. */
  readonly list: () => readonly UnownedArticle[]
}

/** Collects articles that no file owns. @param orphanIds those that kb-sync created */
export function createUnownedList(orphanIds: ReadonlySet<string>): UnownedList {
  const least = createLeast<UnownedArticle>(REPORT_LIST_LIMIT, byTitle)
  return {
    add: ({ file: _file, url: _url, categories: _categories, ...article }) =>
      least.add({ ...article, kind: orphanIds.has(article.id) ? 'orphan' : 'foreign' }),
    list: least.list,
  }
}

export function byTitle(a: Pick<ReportedArticle, 'title' | 'id'>, b: Pick<ReportedArticle, 'title' | 'id'>) {
  return compareTexts(a.title, b.title) || compareTexts(a.id, b.id)
}
