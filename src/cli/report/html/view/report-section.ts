import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import { type SectionName, REPORT_SECTIONS } from './section-ids.ts'

/** A part of the report, and its line in the navigation. */
export interface ReportSection {
  readonly name: SectionName
  readonly heading: string
  /** Stands behind the heading in the navigation. */
  readonly count?: string
  readonly body: Html
}

export function sectionElement({ name, heading, body }: ReportSection): Html {
  const id = REPORT_SECTIONS[name]
  return html`<section id="${id}" class="kb-overview-section" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${heading}</h2>
    ${body}
  </section> `
}

/** Leads to the sections; beside them where there is room, else folded above them. */
export function sectionNavigation(sections: readonly ReportSection[]): Html | '' {
  if (sections.length < 2) return ''
  return html`<nav class="kb-nav" aria-label="Sections of the report">
    <details class="kb-fold">
      <summary>Sections</summary>
      <ul>
        ${sections.map(
          ({ name, heading, count }) =>
            html`<li>
              <a href="#${REPORT_SECTIONS[name]}"
                ><span>${heading}</span
                >${count === undefined ? '' : html` <span class="kb-number">${count}</span>`}</a
              >
            </li> `,
        )}
      </ul>
    </details>
  </nav>`
}
