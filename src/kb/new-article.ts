import { createArticle } from '../authoring/create/create-article.ts'
import type { CreatedArticle } from '../authoring/create/create-options.ts'
import type { Project } from './project.ts'
import type { NewArticleOptions } from './run-options.ts'

/** `Kb.newArticle` */
export async function newArticle(
  { cwd, loadSettings }: Project,
  options: NewArticleOptions,
): Promise<CreatedArticle> {
  const { title, categories, tags, language, translationOf, slug, folder, dryRun, signal } = options
  const article = { title, categories, tags, language, translationOf, slug, folder }
  return createArticle({ ...article, settings: await loadSettings(), cwd, dryRun, signal })
}
