import type { DesiredArticle } from '../../core/model/document.ts'

/**
 * The articles as a run may ask for them: those that are held back keep their place on the target, but what they name
 * need not be there. Pure.
 */
export function withoutReferences(
  articles: readonly DesiredArticle[],
  held: ReadonlySet<string>,
): readonly DesiredArticle[] {
  if (held.size === 0) return articles
  return articles.map((article) =>
    held.has(article.source) ? { ...article, categories: [], tags: [] } : article,
  )
}
