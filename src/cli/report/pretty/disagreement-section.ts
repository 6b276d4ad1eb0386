import type { LinkDisagreement, Report } from '../../../inspect/report/report.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { TITLES } from '../section-titles.ts'
import { formatPlaces } from './link-places.ts'
import { entryLine, formatSection, noteLines } from './pretty-section.ts'
import type { PrettyView } from './pretty-view.ts'

/** Where target and local check see a link in two ways. */
export function prettyDisagreements({ links }: Report, view: PrettyView): string[] {
  const { total, entries } = links.disagreements
  return formatSection(
    {
      title: `${TITLES.disagreements}: ${formatNumber(total)}`,
      total,
      entries,
      format: (entry) => formatDisagreement(entry, view),
    },
    view,
  )
}

function formatDisagreement(entry: LinkDisagreement, view: PrettyView): string[] {
  const { url, targetSays, reason } = entry
  // A target calls every link working until it has checked it.
  const target = targetSays === 'works' ? 'not called broken' : 'called broken'
  return [
    entryLine('?', url, '', view),
    ...formatPlaces(entry, view),
    ...noteLines(`${target} by the target; seen from here: ${reason}`, view),
  ]
}
