import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import { shortText } from './short-text.ts'

/** Categories of an article, one below the other. */
export function categoryNames(categories: readonly string[]): Html {
  return html`${categories.map((category) => html`<div><bdi>${shortText(category)}</bdi></div> `)}`
}
