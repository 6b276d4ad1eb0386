import { type PageAddresses, publicPath } from '../page-addresses.ts'
import { createAddressReader } from '../read-address.ts'
import { storedFileNameOf } from '../../../core/stored-file-names.ts'
import { parseUrl } from '../../../core/parse-url.ts'

/** The target of an article's link on a page. */
export type LocaliseLink = (href: string) => { readonly url: string; readonly isElsewhere: boolean }

/** A host that no link can have. */
const HERE = 'https://relative.invalid'

/** Absolute links with one of `origins` and the path of a page or file stay on the pages. Other hosts are marked. */
export function createLocaliseLink(addresses: PageAddresses): LocaliseLink {
  const readAddress = createAddressReader(addresses)
  const origins = new Set(addresses.origins.flatMap(originOf))
  const { base = '' } = addresses
  const prefix = publicPath(addresses.url)
  return (href) => {
    const target = parseUrl(href, `${HERE}/`)
    const isHere = target?.origin === HERE
    if (target === undefined || (isHere && !(href.startsWith('/') && prefix !== '')))
      return { url: href, isElsewhere: false }
    const { pathname } = target
    const path = prefix !== '' && pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname
    const isServed = readAddress(path).length > 0 || storedFileNameOf(path) !== undefined
    if (!isServed || !(isHere || origins.has(target.origin)))
      return { url: href, isElsewhere: !isHere && /^https?:$/.test(target.protocol) }
    return { url: `${base}${path}${target.search}${target.hash}`, isElsewhere: false }
  }
}

function originOf(address: string): string[] {
  const origin = parseUrl(address)?.origin
  return origin === undefined ? [] : [origin]
}
