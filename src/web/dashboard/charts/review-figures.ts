import type { ReviewSummary } from '../summary/summarize-reviews.ts'
import type { StatusSummary } from '../summary/summarize-status.ts'

/** What the charts of reviews are drawn from. */
export interface ReviewFigures extends Pick<StatusSummary, 'today' | 'dueWithinDays' | 'span'> {
  readonly reviews: Pick<ReviewSummary, 'overdue' | 'due' | 'before' | 'days' | 'months'>
}
