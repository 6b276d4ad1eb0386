import { html } from 'hono/html'
import { ageFigure, medianAge } from '../../../../web/pages/status/view/age-figure.ts'
import type { Report } from '../../../../inspect/report/report.ts'
import type { ReportSection } from './report-section.ts'

/** How long ago the files were last changed; nothing where git does not know. */
export function ageSection({ ages }: Report, charts: readonly string[]): ReportSection | undefined {
  if (ages?.medianDays === undefined) return undefined
  return {
    name: 'ages',
    heading: 'Age of the articles',
    body: html`<p>${medianAge(ages.medianDays)}</p>
      ${ageFigure(ages, charts)}`,
  }
}
