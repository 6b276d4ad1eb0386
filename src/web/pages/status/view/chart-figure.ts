import { html, raw } from 'hono/html'
import type { Html } from '../../page-body.ts'

export interface ChartFigure {
  /** Of the figure's details; stays the same, so that they can stay open. */
  readonly id: string
  readonly caption: string
  /** SVG elements, safe as they are: the variants of the chart, of which the style sheet shows one. */
  readonly charts: readonly string[]
  readonly legend?: Html
  /** The same as a table. */
  readonly table: Html
}

/** A chart, and its data for those who do not look or want to know exactly. */
export function chartFigure({ id, caption, charts, legend, table }: ChartFigure): Html {
  return html`<figure class="kb-figure">
    <figcaption>${caption}</figcaption>
    ${charts.map((chart) => raw(chart))} ${legend}
    <details id="${id}">
      <summary>As a table</summary>
      ${table}
    </details>
  </figure>`
}
