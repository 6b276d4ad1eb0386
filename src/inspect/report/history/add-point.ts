import { compareTexts } from '../../../core/compare-texts.ts'
import type { HistoryPoint } from '../../../web/report/report.ts'

/** Reports that are kept in numbers. */
const MOST_POINTS = 200

/**
 * The points with one more, oldest first, at most 200. Where there are too many, a day's earlier reports go first: one
 * busy afternoon must not push out last year.
 */
export function addPoint<Point extends Pick<HistoryPoint, 'at'>>(
  points: readonly Point[],
  point: Point,
  limit: number = MOST_POINTS,
): readonly Point[] {
  const sorted = [...points.filter(({ at }) => at !== point.at), point].toSorted((a, b) =>
    compareTexts(a.at, b.at),
  )
  let surplus = sorted.length - limit
  const thinned = sorted.filter((each, index) => {
    const isLastOfDay = dayOf(sorted[index + 1]) !== dayOf(each)
    if (surplus <= 0 || isLastOfDay) return true
    surplus--
    return false
  })
  return thinned.slice(-limit)
}

function dayOf(point: Pick<HistoryPoint, 'at'> | undefined): string | undefined {
  return point?.at.slice(0, 10)
}
