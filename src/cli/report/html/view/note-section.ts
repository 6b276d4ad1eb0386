import { html } from 'hono/html'
import type { Report } from '../../../../inspect/report/report.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import type { ReportSection } from './report-section.ts'
import { shortText } from './short-text.ts'

const SHOWN = 50

/** Characters of one: it may name several addresses. */
const NOTE_LENGTH = 2000

/** What the figures cannot say, and why. */
export function noteSection({ notes }: Report): ReportSection | undefined {
  if (notes.length === 0) return undefined
  const rest = notes.length - SHOWN
  return {
    name: 'notes',
    heading: 'Notes',
    count: formatNumber(notes.length),
    body: html`<ul>
        ${notes.slice(0, SHOWN).map((note) => html`<li>${shortText(note, NOTE_LENGTH)}</li> `)}
      </ul>
      ${rest > 0 ? html`<p class="kb-note">There are ${pluralize(rest, 'note')} more.</p>` : ''}`,
  }
}
