import { place, type PlacedProblem } from '../../../content/source/placed-problem.ts'
import { type BehindOriginal, findOutdatedTranslations } from './find-outdated-translations.ts'
import type { HistoryContext } from './history-context.ts'

/** Translations made without the last change of their original. Where there is no whole history, nothing is found. */
export async function translationsOutdated(context: HistoryContext): Promise<PlacedProblem[]> {
  return ((await findOutdatedTranslations(context)) ?? []).map(toProblem)
}

function toProblem({ article, original, originalChanged, translated, diff }: BehindOriginal): PlacedProblem {
  const when = originalChanged === undefined ? 'and is not committed yet' : `on ${originalChanged}`
  return place(article, 'translationOf', {
    code: 'translation-outdated',
    message: `The original ${original} was changed ${when}, after its translation (${translated.date}).`,
    hint: `\`${diff}\` shows what to translate; any change of this file tells that it is done.`,
  })
}
