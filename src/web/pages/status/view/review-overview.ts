import { html } from 'hono/html'
import type { ReviewStanding } from '../../../dashboard/summary/summarize-reviews.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import type { Html } from '../../page-body.ts'
import { day } from './moments.ts'

interface ReviewCounts extends Readonly<Record<ReviewStanding, number>> {
  readonly today: string
  readonly dueWithinDays: number
  /** Overdue ones that are accepted, in words; '' where none is. */
  readonly accepted?: string
}

/** How many reviews are due when, in sentences. */
export function reviewOverview(counts: ReviewCounts): Html {
  const { overdue, due, later, never, undated, today, dueWithinDays, accepted = '' } = counts
  if (overdue + due + later + never === 0) return html`No article has a review date yet.`
  const first =
    overdue === 0
      ? 'Nothing is overdue.'
      : `${pluralize(overdue, 'article')} ${overdue === 1 ? 'is' : 'are'} overdue${accepted}.`
  const rest = [
    `${formatNumber(due)} due within ${pluralize(dueWithinDays, 'day')}`,
    `${formatNumber(later)} later`,
    ...(never > 0 ? [`${formatNumber(never)} never`] : []),
    ...(undated > 0 ? [`${formatNumber(undated)} without a date`] : []),
  ]
  return html`${first} ${rest.join(', ')}. Today is ${day(today)} (UTC).`
}
