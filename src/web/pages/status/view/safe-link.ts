import { html } from 'hono/html'
import type { Html } from '../../page-body.ts'

/** A link to a page of ours; only its text where the address is none that a page can have. */
export function pageLink(url: string | undefined, text: Html | string): Html | string {
  const isPage = url !== undefined && (/^\/(?!\/)/.test(url) || isWebAddress(url))
  return isPage ? html`<a href="${url}">${text}</a>` : text
}

/** A link out of the knowledge base, which learns nothing of who follows it; a relative one is shown as text. */
export function outerLink(url: string, text: Html | string): Html | string {
  return isWebAddress(url) ? html`<a href="${url}" rel="noreferrer noopener nofollow">${text}</a>` : text
}

// Whatever else a link may say, such as `javascript:`, is never made one.
function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url)
}
