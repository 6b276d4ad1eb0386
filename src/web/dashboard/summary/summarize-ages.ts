import { sumOf } from '../../../core/group-by.ts'
import { isCalendarDate } from '../../../core/calendar-date.ts'
import { toDayNumber } from './calendar.ts'

/** The ages of articles by their last change. */
export interface AgeSummary {
  /** Youngest first, including empty ones. */
  readonly bands: readonly AgeBand[]
  /** Number of articles whose last change is unknown. */
  readonly unknown: number
  /** Median age in whole days; undefined if all are unknown. */
  readonly medianDays: number | undefined
  /** Ages in whole days of the youngest and the oldest article with a known change. */
  readonly youngestDays: number | undefined
  readonly oldestDays: number | undefined
}

interface AgeBand {
  /** `under 1 month`, `1 to 3 months`, … */
  readonly label: string
  /** Whole days since the last change: at least this many … */
  readonly fromDays: number
  /** … and less than this many; undefined for the last band. */
  readonly toDays: number | undefined
  readonly count: number
}

const BANDS: readonly Omit<AgeBand, 'count'>[] = [
  { label: 'under 1 month', fromDays: 0, toDays: 30 },
  { label: '1 to 3 months', fromDays: 30, toDays: 91 },
  { label: '3 to 6 months', fromDays: 91, toDays: 182 },
  { label: '6 to 12 months', fromDays: 182, toDays: 365 },
  { label: '1 to 2 years', fromDays: 365, toDays: 730 },
  { label: '2 to 3 years', fromDays: 730, toDays: 1095 },
  { label: '3 years or more', fromDays: 1095, toDays: undefined },
]

/**
 * Counts articles by age. Stores one number for each day with a change.
 *
 * @param today calendar date; later changes (by a clock that is ahead) are 0 days old
 */
export function createAgeCounter(today: string) {
  const present = toDayNumber(today)
  const byDate = new Map<string, number>()
  let unknown = 0

  return {
    /** Counts articles (default: one) by the calendar date of their last change; an invalid date counts as unknown. */
    add: (lastChange: string | undefined, articles = 1) => {
      if (lastChange !== undefined && (byDate.has(lastChange) || isCalendarDate(lastChange)))
        byDate.set(lastChange, (byDate.get(lastChange) ?? 0) + articles)
      else unknown += articles
    },
    summary: () => {
      const ages = [...byDate]
        .map(([date, count]) => ({ days: Math.max(0, present - toDayNumber(date)), count }))
        .toSorted((a, b) => a.days - b.days)
      const bands = BANDS.map((band) => ({
        ...band,
        count: sumOf(ages, ({ days, count }) => (isIn(band, days) ? count : 0)),
      }))
      const [youngestDays, oldestDays] = [ages[0]?.days, ages.at(-1)?.days]
      return { bands, unknown, medianDays: medianOf(ages), youngestDays, oldestDays }
    },
  }
}

interface Age {
  readonly days: number
  readonly count: number
}

function isIn({ fromDays, toDays = Infinity }: Omit<AgeBand, 'count'>, days: number): boolean {
  return days >= fromDays && days < toDays
}

/** @param ages youngest first */
function medianOf(ages: readonly Age[]): number | undefined {
  const half = sumOf(ages, ({ count }) => count) / 2
  let counted = 0
  return ages.find(({ count }) => (counted += count) >= half)?.days
}
