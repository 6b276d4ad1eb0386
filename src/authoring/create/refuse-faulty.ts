import { findDuplicateSlugs, findUnknownReferences } from '../../content/check-references.ts'
import { createFindOriginal } from '../../content/find-original.ts'
import { findWrongTranslations } from '../../content/check-translations.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { DesiredArticle, Document } from '../../core/model/document.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'

/**
 * Refuses what `kb check` would report in a new article: an unknown category or tag, a slug that is taken.
 *
 * @throws KbError USAGE
 */
export function refuseFaulty(
  document: Document,
  articles: readonly DesiredArticle[],
  taxonomy: LocalTaxonomy,
): void {
  const all = [...articles, document]
  const problems = [
    ...findUnknownReferences([document], taxonomy),
    ...findDuplicateSlugs(all),
    ...findWrongTranslations(all, createFindOriginal(all)),
  ]
  const found = problems.find(({ source }) => source === document.source)?.problem
  if (found === undefined) return
  throw new KbError('USAGE', `${found.message} Nothing was written.`, {
    ...(found.hint !== undefined && { hint: found.hint }),
  })
}
