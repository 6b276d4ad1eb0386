import { KbError } from '../../core/errors/kb-error.ts'
import type { DesiredArticle } from '../../core/model/document.ts'
import type { CategoryIndex } from './category-index.ts'
import type { CreateOptions } from './create-options.ts'

const SHOWN = 20

/**
 * The categories of a new article, as they are to be written: those that are asked for, else those of the original, of the
 * configuration, the only one there is, or one that somebody chooses.
 *
 * @throws KbError USAGE
 */
export async function chooseCategories(
  { categories = [], chooseCategory, settings }: CreateOptions,
  original: DesiredArticle | undefined,
  { choices }: CategoryIndex,
): Promise<readonly string[]> {
  if (categories.length > 0) return [...new Set(categories)]
  if (original !== undefined) return original.categories
  if (settings.defaults.categories.length > 0) return settings.defaults.categories
  const [only, other] = choices
  if (only !== undefined && other === undefined) return [only.reference]
  if (choices.length > 0 && chooseCategory !== undefined) return [await chooseCategory(choices)]
  throw new KbError('USAGE', 'The article needs a category. Nothing was written.', {
    hint: only === undefined ? 'Give it one with --category.' : `Give --category one of: ${listOf(choices)}.`,
  })
}

function listOf(choices: CategoryIndex['choices']): string {
  const shown = choices.slice(0, SHOWN).map(({ reference }) => reference)
  const rest = choices.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
