import { findOutdatedTranslations } from '../check/history/find-outdated-translations.ts'
import { FRONTMATTER_START } from '../../content/placed-problem.ts'
import type { Past } from '../../core/git/read-past.ts'
import type { DesiredArticle } from '../../core/model/document.ts'
import { contentPrefix } from '../../sync/content-project.ts'
import { compareTexts } from '../../core/compare-texts.ts'
import type { OutdatedTranslation } from './report.ts'
import type { ReportTask } from './report-task.ts'

/** Translations that are behind their originals, by file. */
export async function findTranslations(
  articles: readonly DesiredArticle[],
  past: Past,
  { settings, env, signal }: ReportTask,
): Promise<{ readonly translations: readonly OutdatedTranslation[]; readonly notes: readonly string[] }> {
  const prefix = contentPrefix(settings)
  const { contentRoot, defaultLanguage, defaults } = settings
  const context = {
    contentRoot,
    contentPrefix: prefix,
    articles,
    defaults: { language: defaultLanguage, status: defaults.status },
    env,
    signal,
  }
  const found = await findOutdatedTranslations(context, past)
  if (found === undefined) return { translations: [], notes: [explainUnknown(past)] }
  const translations = found.map(({ article, original, originalChanged, translated, diff }) => ({
    title: article.title,
    language: article.language ?? defaultLanguage,
    file: `${prefix}${article.source}`,
    original: `${prefix}${original}`,
    originalChanged,
    translated: translated.date,
    place: article.positions['translationOf'] ?? FRONTMATTER_START,
    hint: diff,
  }))
  return { translations: translations.toSorted((a, b) => compareTexts(a.file, b.file)), notes: [] }
}

function explainUnknown({ kind }: Past): string {
  const reason =
    kind === 'shallow'
      ? 'this clone lacks the history (git fetch --unshallow gets it)'
      : 'git does not know their history'
  return `Translations are not compared with their originals: ${reason}.`
}
