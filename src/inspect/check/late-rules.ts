// Rules that need to know the day or the past: only `kb check` asks them, and git is started only where it is needed.
import type { Settings } from '../../core/config/settings.ts'
import { loadFrontmatterFiles } from '../../content/preset/load-frontmatter-files.ts'
import type { PlacedProblem } from '../../content/placed-problem.ts'
import type { DesiredArticle } from '../../core/model/document.ts'
import { type RuleCode, severityOf } from '../../core/model/diagnostic-codes.ts'
import { contentPrefix } from '../../sync/content-project.ts'
import type { HistoryContext } from './history/history-context.ts'
import { slugsChanged } from './history/slugs-changed.ts'
import { translationsOutdated } from './history/translations-outdated.ts'
import { reviewsOverdue } from './review-overdue.ts'

export interface LateRulesOptions {
  readonly settings: Settings
  readonly articles: readonly DesiredArticle[]
  readonly now: () => Date
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

export async function applyLateRules(options: LateRulesOptions): Promise<PlacedProblem[]> {
  const { articles, now } = options
  const files = await loadFrontmatterFiles(options.settings.render.frontmatter)
  const context = { ...historyContext(options), files }
  const rules: Partial<Record<RuleCode, () => Promise<PlacedProblem[]>>> = {
    'review-overdue': () => Promise.resolve(reviewsOverdue(articles, now().toISOString().slice(0, 10))),
    'translation-outdated': () => translationsOutdated(context),
    'slug-changed': () => slugsChanged(context),
  }
  const wanted = Object.entries(rules).filter(
    ([code]) => severityOf(code as RuleCode, options.settings.rules) !== 'off',
  )
  return (await Promise.all(wanted.map(([, rule]) => rule()))).flat()
}

function historyContext({
  settings,
  articles,
  env,
  signal,
}: LateRulesOptions): Omit<HistoryContext, 'files'> {
  return {
    contentRoot: settings.contentRoot,
    contentPrefix: contentPrefix(settings),
    articles,
    defaults: { language: settings.defaultLanguage, status: settings.defaults.status },
    env,
    signal,
  }
}
