import { place, type PlacedProblem } from '../../content/placed-problem.ts'
import type { Document } from '../../core/model/document.ts'

/**
 * Articles whose written review date has passed; on the day itself there is still time.
 *
 * @param today calendar date in UTC, as in plans: the same content is judged alike on every machine
 */
export function reviewsOverdue(documents: readonly Document[], today: string): PlacedProblem[] {
  return documents.flatMap((document) => {
    const { review } = document
    // Dates of this form sort as texts.
    if (review.kind !== 'date' || review.date >= today) return []
    const message = `The article was due for review on ${review.date}.`
    const hint = 'Read it, bring it up to date, and write the date of the next review.'
    return [place(document, 'reviewDate', { code: 'review-overdue', message, hint })]
  })
}
