import { FRONTMATTER_START } from '../../../content/placed-problem.ts'
import { toDayNumber } from '../../../web/dashboard/summary/calendar.ts'
import { createReviewJudge, type ReviewScope } from '../../../web/dashboard/summary/summarize-reviews.ts'
import type { DesiredArticle, Review } from '../../../core/model/document.ts'
import { NEVER_DATE, toCalendarDate } from '../../../core/calendar-date.ts'
import type { ReviewFinding } from '../report.ts'

type Judged = Pick<ReviewFinding, 'standing' | 'date' | 'days' | 'place' | 'fileDate'>

/** Says how an article stands whose review the target has dated so, and what its file says of that. */
export function createJudgeReview(
  scope: Pick<ReviewScope, 'today' | 'dueWithinDays'>,
): (timestamp: string | undefined, document: DesiredArticle | undefined) => Judged {
  const standingOf = createReviewJudge(scope)
  const today = toDayNumber(scope.today)
  return (timestamp, document) => {
    const date = toCalendarDate(timestamp ?? '') ?? ''
    const standing = standingOf(date)
    const isDated = standing !== 'never' && standing !== 'undated'
    const written = document === undefined ? undefined : dateOf(document.review)
    return {
      standing,
      date,
      days: isDated ? toDayNumber(date) - today : undefined,
      place: document && (document.positions['reviewDate'] ?? FRONTMATTER_START),
      fileDate: written === date ? undefined : written,
    }
  }
}

/** The date that a file names; undefined where it leaves it to the target. */
function dateOf(review: Review): string | undefined {
  if (review.kind === 'default') return undefined
  return review.kind === 'never' ? NEVER_DATE : review.date
}
