// Rules that depend on the date or the git history. Only `kb check` runs them, and starts git only if necessary.
import type { Settings } from '../../core/config/settings.ts'
import { loadFrontmatterFiles } from '../../content/preset/load-frontmatter-files.ts'
import type { Document, LocalArticle } from '../../core/model/document.ts'
import { isReported, type RuleCode } from '../../core/model/diagnostic-codes.ts'
import { createHistoryContext, translationsOutdated } from './history/find-outdated-translations.ts'
import { slugsChanged } from './history/slugs-changed.ts'
import { type SourceProblem, atField } from '../../content/source/source-problem.ts'

interface LateRulesOptions {
  readonly settings: Settings
  readonly articles: readonly LocalArticle[]
  readonly now: () => Date
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

export async function applyLateRules(options: LateRulesOptions): Promise<SourceProblem[]> {
  const { articles, now } = options
  const files = await loadFrontmatterFiles(options.settings.render.frontmatter)
  const context = { ...createHistoryContext(options, articles), files }
  const rules: Partial<Record<RuleCode, () => Promise<SourceProblem[]>>> = {
    'review-overdue': () => Promise.resolve(reviewsOverdue(articles, now().toISOString().slice(0, 10))),
    'translation-outdated': () => translationsOutdated(context),
    'slug-changed': () => slugsChanged(context),
  }
  const wanted = Object.entries(rules).filter(([code]) => isReported(code as RuleCode, options.settings))
  return (await Promise.all(wanted.map(([, rule]) => rule()))).flat()
}

/**
 * Reports articles whose review date has passed. On the day itself, they are not overdue yet.
 *
 * @param today calendar date in UTC, as in plans, so that the result is the same on every machine
 */
function reviewsOverdue(documents: readonly Document[], today: string): SourceProblem[] {
  return documents.flatMap((document) => {
    const { review } = document
    // Dates in this format sort as texts.
    if (review.kind !== 'date' || review.date >= today) return []
    const message = `The article was due for review on ${review.date}.`
    const hint = 'Review and update the article, and set the date of the next review.'
    return [atField(document, 'reviewDate', { code: 'review-overdue', message, hint })]
  })
}
