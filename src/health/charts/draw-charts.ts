import type { StatusSummary } from '../summary/summarize-status.ts'
import { linkHosts } from './link-hosts.ts'
import { type Chart, type ChartPainter, openChartPainter } from './open-chart-painter.ts'
import { NARROW_CALENDAR, reviewCalendar, WIDE_CALENDAR } from './review-calendar.ts'
import { NARROW_MONTHS, reviewMonths, WIDE_MONTHS } from './review-months.ts'

/** SVG elements of the page's charts. */
export interface StatusCharts {
  readonly calendars: readonly string[]
  readonly months: readonly string[]
  readonly hosts: readonly string[]
}

/** Draws the charts of a summary; those whose figures are as they were last time are not drawn again. */
export type ChartDrawer = (summary: StatusSummary) => Promise<StatusCharts>

export function createChartDrawer(): ChartDrawer {
  let painter: Promise<ChartPainter> | undefined
  const drawn = new Map<string, { readonly figures: string; readonly svg: string }>()

  return async (summary) => {
    painter ??= openChartPainter()
    const { plot, paint } = await painter
    const { today, span, dueWithinDays, reviews, brokenLinks } = summary
    const { overdue, dueSoon, before, days } = reviews
    const dated = JSON.stringify([today, span, dueWithinDays, overdue, dueSoon, before, [...days]])
    const hosts = JSON.stringify(brokenLinks.hosts.map(({ key, count, isExact }) => [key, count, isExact]))

    const draw = (id: string, figures: string, chart: () => Chart): string => {
      const last = drawn.get(id)
      if (last?.figures === figures) return last.svg
      const svg = paint(id, chart())
      drawn.set(id, { figures, svg })
      return svg
    }
    return {
      calendars: [
        draw('_kb-chart-days', dated, () => reviewCalendar(plot, summary, WIDE_CALENDAR)),
        draw('_kb-chart-days-narrow', dated, () => reviewCalendar(plot, summary, NARROW_CALENDAR)),
      ],
      months: [
        draw('_kb-chart-months', dated, () => reviewMonths(plot, summary, WIDE_MONTHS)),
        draw('_kb-chart-months-narrow', dated, () => reviewMonths(plot, summary, NARROW_MONTHS)),
      ],
      hosts: [draw('_kb-chart-hosts', hosts, () => linkHosts(plot, brokenLinks.hosts))],
    }
  }
}
