import {
  type ChartFigures,
  createChartDrawer,
  type DrawnCharts as Drawn,
} from '../../../../src/web/dashboard/charts/draw-charts.ts'
import { summarizeStatus } from '../../../../src/web/dashboard/summary/summarize-status.ts'
import { type Sample, statusOf } from '../../pages/status/status-samples.ts'

export interface DrawnCharts extends Drawn {
  readonly figures: ChartFigures
}

const SCOPE = {
  monthsBefore: 2,
  monthsAfter: 10,
  listed: 10,
  links: { order: 'article', listed: 10, groups: 8, perGroup: 1 },
} as const

/** Draws the charts of these entries, on 2026-11-21 or another day. */
export async function drawnCharts(
  entries: Pick<Sample, 'reviews' | 'brokenLinks'>,
  now = '2026-11-21T12:00:00Z',
): Promise<DrawnCharts> {
  const summary = await summarizeStatus(statusOf({ ...entries, now }), SCOPE)
  const figures = { ...summary, history: [] }
  return { figures, ...(await createChartDrawer()(figures)) }
}

/** Returns all elements of a kind within a group with the class, as attributes and text. */
export function drawnIn(svg: string, className: string, tag: 'rect' | 'text' | 'circle'): readonly string[] {
  const groups = [...svg.matchAll(/<g [^>]*class="([^"]*)"[^>]*>(.*?)<\/g>/gs)]
  const inGroup = groups.filter(([, names = '']) => names.split(' ').includes(className))
  return inGroup.flatMap(([, , body = '']) =>
    [...body.matchAll(new RegExp(`<${tag}\\b.*?(?:</${tag}>|/>)`, 'gs'))].map(([text]) => text),
  )
}

/** Returns what readers see on hovering over an element. */
export function titleOf(element: string): string | undefined {
  return /<title>(.*?)<\/title>/s.exec(element)?.[1]
}
