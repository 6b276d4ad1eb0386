import type { DesiredArticle } from '../../core/model/document.ts'
import { place, type PlacedProblem } from '../placed-problem.ts'

/**
 * Published articles that no link leads to. `linked` are the sources that other published articles and the taxonomy's
 * descriptions link to. A folder's own page is where readers begin, and a translation is reached from its original.
 */
export function articlesOrphaned(
  articles: readonly DesiredArticle[],
  linked: ReadonlySet<string>,
): PlacedProblem[] {
  return articles.flatMap((article) => {
    const isReached =
      article.status === 'draft' || article.original !== undefined || isFolderPage(article.source)
    if (isReached || linked.has(article.source)) return []
    const message = 'No other published article links to this one, and no category or tag does.'
    const hint = 'Link to it from an article on the same matter, or from its category.'
    return [place(article, 'title', { code: 'article-orphaned', message, hint })]
  })
}

function isFolderPage(source: string): boolean {
  return /(?:^|\/)(?:index|readme)\.[^./]+$/i.test(source)
}
