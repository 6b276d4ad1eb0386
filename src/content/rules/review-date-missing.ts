import type { Document } from '../../core/model/document.ts'
import { place, type PlacedProblem } from '../placed-problem.ts'

/** An article whose review is due some days after it is sent, because nobody said when. */
export function reviewDateMissing(document: Document): PlacedProblem[] {
  if (document.review.kind !== 'default') return []
  const message = 'The article does not say when it is to be reviewed.'
  const hint = `Add a line such as \`reviewDate: 2027-01-31\`, or \`reviewDate: never\`.`
  return [place(document, 'reviewDate', { code: 'review-date-missing', message, hint })]
}
