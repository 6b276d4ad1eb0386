import { digestParts } from '../../../core/digest.ts'
import type { HistoryPoint, Report } from '../../../web/report/report.ts'
import { addPoint } from './add-point.ts'
import { compareWithLast } from './compare-with-last.ts'
import { readHistory } from './read-history.ts'
import type { KeptPoint } from './report-history.ts'
import { type HistoryPlace, writeHistory } from './write-history.ts'

/** What a report was asked for. */
export interface ReportRequest {
  /** Patterns of addresses that were left out. */
  readonly ignoredLinks: readonly string[]
  readonly isIgnored: (url: string) => boolean
}

/**
 * Compares a report with the last one and keeps what it found for the next. Its figures are shown beside those of
 * earlier reports that counted the same: with as many days ahead, and without the same addresses.
 *
 * @param place undefined where there is to be no history: then the report knows itself alone
 */
export async function rememberReport(
  report: Pick<Report, 'generatedAt' | 'dueWithinDays' | 'counts' | 'reviews' | 'links'>,
  place: HistoryPlace | undefined,
  { ignoredLinks, isIgnored }: ReportRequest,
): Promise<Pick<Report, 'changes' | 'history' | 'notes'>> {
  const { overdue, due, broken, unowned, outdatedTranslations } = report.counts
  const point = { at: report.generatedAt, overdue, due, broken, unowned, outdatedTranslations }
  if (place === undefined) return { changes: undefined, history: [point], notes: [] }
  const history = await readHistory(place.file)
  const findings = { overdue: report.reviews.overdue, broken: report.links.broken }
  const asked = digestParts([String(report.dueWithinDays), ...new Set(ignoredLinks.toSorted())])
  const { changes, notes } = compareWithLast(history, findings, isIgnored)
  const note = await writeHistory(place, { findings, point: { ...point, asked } })
  return {
    changes,
    history: addPoint(alike(history.points, asked), point),
    notes: [...notes, ...(note === undefined ? [] : [note])],
  }
}

function alike(points: readonly KeptPoint[], wanted: string): readonly HistoryPoint[] {
  return points.flatMap(({ asked, ...point }) => (asked === wanted ? point : []))
}
