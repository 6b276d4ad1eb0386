import { html } from 'hono/html'
import type { Report } from '../../../../inspect/report/report.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { describeExceeded } from '../../format-exceeded.ts'
import type { ReportSection } from './report-section.ts'

/** Why the command ended with exit code 1. */
export function limitSection({ exceeded }: Report): ReportSection | undefined {
  if (exceeded.length === 0) return undefined
  return {
    name: 'limits',
    heading: 'Limits exceeded',
    count: formatNumber(exceeded.length),
    body: html`<ul>
      ${exceeded.map((each) => html`<li>${describeExceeded(each)}</li> `)}
    </ul>`,
  }
}
