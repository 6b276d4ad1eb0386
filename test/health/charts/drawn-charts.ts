import { createChartDrawer, type StatusCharts } from '../../../src/health/charts/draw-charts.ts'
import type { BrokenLinkEntry, ReviewEntry } from '../../../src/health/status-source.ts'
import { type StatusSummary, summarizeStatus } from '../../../src/health/summary/summarize-status.ts'
import { statusOf } from '../../pages/status/status-samples.ts'

export interface DrawnCharts extends StatusCharts {
  readonly summary: StatusSummary
}

const SCOPE = {
  dueWithinDays: 30,
  monthsBefore: 2,
  monthsAfter: 10,
  listed: 10,
  links: { order: 'article', listed: 10, groups: 8, perGroup: 1 },
} as const

/** The charts of these entries, on 2026-11-21 or another day. */
export async function drawnCharts(
  entries: { readonly reviews?: readonly ReviewEntry[]; readonly brokenLinks?: readonly BrokenLinkEntry[] },
  now = '2026-11-21T12:00:00Z',
): Promise<DrawnCharts> {
  const summary = await summarizeStatus(statusOf({ ...entries, now }), SCOPE)
  return { summary, ...(await createChartDrawer()(summary)) }
}

/** All elements of a kind within a group that has the class, as attributes and text. */
export function drawnIn(svg: string, className: string, tag: 'rect' | 'text'): readonly string[] {
  const groups = [...svg.matchAll(/<g [^>]*class="([^"]*)"[^>]*>(.*?)<\/g>/gs)]
  const inGroup = groups.filter(([, names = '']) => names.split(' ').includes(className))
  return inGroup.flatMap(([, , body = '']) =>
    [...body.matchAll(new RegExp(`<${tag}\\b.*?(?:</${tag}>|/>)`, 'gs'))].map(([text]) => text),
  )
}

/** What readers see on hovering over a drawn element. */
export function titleOf(element: string): string | undefined {
  return /<title>(.*?)<\/title>/s.exec(element)?.[1]
}
