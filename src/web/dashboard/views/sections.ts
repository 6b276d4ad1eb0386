import { html } from 'hono/html'
import type { Html } from '../../html.ts'

export interface Tile {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
  /** Id of the section with details; undefined if there is none. */
  readonly section: string | undefined
}

/** Renders tiles that link to their sections. @param look additional class */
export function tileList(tiles: readonly Tile[], look = ''): Html {
  return html`<ul class="kb-tiles${look === '' ? '' : ` ${look}`}">
    ${tiles.map(tileItem)}
  </ul>`
}

function tileItem({ name, value, note, tone, section }: Tile): Html {
  const text = html`<span class="kb-tile-name">${name}</span> <strong>${value}</strong>
    <span class="kb-tile-note">${note}</span>`
  return html`<li class="kb-tile kb-tile-${tone}">
    ${section === undefined ? html`<span>${text}</span>` : html`<a href="#${section}">${text}</a>`}
  </li> `
}

export interface DashboardSection {
  /** Part of shared URLs, and the key for live updates. */
  readonly id: string
  readonly heading: string
  readonly body: Html
}

export function sectionElement({ id, heading, body }: DashboardSection): Html {
  return html`<section id="${id}" class="kb-overview-section" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${heading}</h2>
    ${body}
  </section> `
}
