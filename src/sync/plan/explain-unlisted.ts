import type { Review } from '../../core/model/document.ts'
import { addDays } from '../../core/calendar-date.ts'

const NEAR_DAYS = 366

/** Services list by review date and by links: an article that is due in years, or never, may be in no list. */
export function isFarReview(review: Review, today: string): boolean {
  if (review.kind === 'default') return review.afterDays > NEAR_DAYS
  return review.kind === 'never' || review.date > addDays(today, NEAR_DAYS)
}

/** What to do about an article that the target said it created and does not list: sent again, it could be there twice. */
export function explainWayOut(wayPast: string, isHidden: boolean): string {
  const advice = isHidden
    ? ' Some targets list only articles with a near review date or a link: add one of them first.'
    : ''
  return `Look for it in the knowledge base and delete it there if you find it, then ${wayPast}.${advice}`
}
