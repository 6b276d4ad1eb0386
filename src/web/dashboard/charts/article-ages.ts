import type { AgeSummary } from '../summary/summarize-ages.ts'
import { namedBars } from './named-bars.ts'
import type { Chart, PlotLibrary } from './open-chart-painter.ts'

/** Articles by the time since their last change, as bars from young to old. */
export function articleAges(plot: PlotLibrary, { bands, unknown }: AgeSummary): Chart {
  const counts = bands.map(({ label, count }) => ({ name: label, count, isExact: true }))
  return namedBars(plot, {
    title: 'Articles by time since their last change',
    noun: 'article',
    className: 'kb-bar-age',
    counts: unknown === 0 ? counts : [...counts, { name: 'not known', count: unknown, isExact: true }],
  })
}
