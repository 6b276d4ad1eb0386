import type { PageAddresses } from '../page-addresses.ts'
import { createAddressReader } from '../read-address.ts'
import { parseUrl } from '../../../core/parse-url.ts'

/** The target of an article's link on a page. */
export type LocaliseLink = (href: string) => { readonly url: string; readonly isElsewhere: boolean }

/** No link can have this host. */
const HERE = 'https://relative.invalid'

/** Absolute links with one of `origins` and a page's path stay on the pages; those to other hosts are marked. */
export function createLocaliseLink(addresses: PageAddresses): LocaliseLink {
  const readAddress = createAddressReader(addresses)
  const origins = new Set(addresses.origins.flatMap(originOf))
  return (href) => {
    const target = parseUrl(href, `${HERE}/`)
    if (target === undefined || target.origin === HERE) return { url: href, isElsewhere: false }
    const isPage = origins.has(target.origin) && readAddress(target.pathname).length > 0
    if (!isPage) return { url: href, isElsewhere: /^https?:$/.test(target.protocol) }
    return { url: `${target.pathname}${target.search}${target.hash}`, isElsewhere: false }
  }
}

function originOf(address: string): string[] {
  const origin = parseUrl(address)?.origin
  return origin === undefined ? [] : [origin]
}
