import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import { outerLink } from '../../../../web/pages/status/view/safe-link.ts'
import { plainAddress } from '../../../../inspect/report/addresses/address-key.ts'
import { parseUrl } from '../../../../core/parse-url.ts'
import { shortText } from './short-text.ts'

/** What browsers and servers still understand; a longer address is shown, but leads nowhere. */
const ADDRESS_LIMIT = 2000

/**
 * A link to an address, where it is one on the web. Whoever opens the file has it on a disk or on another site: what is
 * relative would lead to the wrong place. It leads where the address means, with its entities resolved.
 *
 * @param text as it is to be shown
 */
export function webLink(address: string, text: Html | string): Html | string {
  const meant = address.length <= ADDRESS_LIMIT ? parseUrl(plainAddress(address)) : undefined
  return meant === undefined ? text : outerLink(meant.href, text)
}

const MAIL = /^[^\s@?&<>"']+@[^\s@?&<>"']+$/

/** An e-mail address that can be written to; only its text where it looks like none. */
export function mailLink(address: string): Html | string {
  const shown = shortText(address)
  return MAIL.test(address) && address.length <= ADDRESS_LIMIT
    ? html`<a href="mailto:${encodeURI(address)}">${shown}</a>`
    : shown
}
