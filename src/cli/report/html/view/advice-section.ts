import { html } from 'hono/html'
import type { Report } from '../../../../inspect/report/report.ts'
import { listAdvice } from '../../list-advice.ts'
import type { ReportSection } from './report-section.ts'

/** What to do about it all. */
export function adviceSection(report: Report): ReportSection | undefined {
  const advice = listAdvice(report)
  if (advice.length === 0) return undefined
  return {
    name: 'advice',
    heading: 'What to do',
    body: html`<ul>
      ${advice.map((each) => html`<li>${each}</li> `)}
    </ul>`,
  }
}
