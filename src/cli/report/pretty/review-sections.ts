import type { Listing, Report, ReviewFinding } from '../../../inspect/report/report.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { describeDays, describeFileDate, nameArticle } from '../article-words.ts'
import { acceptedOf } from '../accepted.ts'
import { reviewPlace } from '../article-places.ts'
import { TITLES } from '../section-titles.ts'
import {
  entryLine,
  formatSection,
  listedOf,
  nowhereLine,
  noteLines,
  ownerLines,
  placeLine,
  type Sign,
} from './pretty-section.ts'
import type { PrettyView } from './pretty-view.ts'

/** What is overdue, longest first. */
export function overdueSection({ reviews, counts }: Report, view: PrettyView): string[] {
  const { total } = reviews.overdue
  const title = `${TITLES.overdue}: ${formatNumber(total)}${acceptedOf(counts.acceptedOverdue, total)}`
  const entries = listedOf(reviews.overdue, view)
  const known = reviews.overdue.entries.length
  return formatSection(
    {
      title,
      total,
      entries,
      accepted: counts.acceptedOverdue,
      known,
      format: (finding) => formatReview(finding, 'x', view),
    },
    view,
  )
}

export function dueSection({ reviews, dueWithinDays }: Report, view: PrettyView): string[] {
  const title = `Due within ${pluralize(dueWithinDays, 'day')}: ${formatNumber(reviews.due.total)}`
  return reviewSection(title, '!', reviews.due, view)
}

export function undatedSection({ reviews }: Report, view: PrettyView): string[] {
  return reviewSection(
    `${TITLES.undated}: ${formatNumber(reviews.undated.total)}`,
    '!',
    reviews.undated,
    view,
  )
}

/** What nobody has to look at yet; only where everything is listed. */
export function laterSections({ reviews }: Report, view: PrettyView): string[] {
  if (!view.verbose) return []
  const { later, never } = reviews
  return [
    ...reviewSection(`${TITLES.later}: ${formatNumber(later.total)}`, '·', later, view),
    ...reviewSection(`${TITLES.never}: ${formatNumber(never.total)}`, '·', never, view),
  ]
}

function reviewSection(
  title: string,
  sign: Sign,
  listing: Listing<ReviewFinding>,
  view: PrettyView,
): string[] {
  return formatSection({ title, ...listing, format: (finding) => formatReview(finding, sign, view) }, view)
}

function formatReview(finding: ReviewFinding, sign: Sign, view: PrettyView): string[] {
  const { standing, date, days, owners, isAccepted } = finding
  const when = days === undefined ? [] : [describeDays(days)]
  const behind = [...when, ...(isAccepted ? ['accepted'] : [])].join(', ')
  const name = nameArticle(finding)
  const place = reviewPlace(finding)
  const fileDate = describeFileDate(finding)
  return [
    entryLine(
      isAccepted ? '·' : sign,
      date === '' || standing === 'never' ? name : `${date}  ${name}`,
      behind,
      view,
    ),
    place === undefined ? nowhereLine(finding) : placeLine(place, view),
    ...(fileDate === undefined ? [] : noteLines(fileDate, view)),
    ...ownerLines(owners, view),
  ]
}
