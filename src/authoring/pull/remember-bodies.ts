import type { IncomingArticle } from './incoming.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'

export type ToBody = (incoming: IncomingArticle, linkOf: LinkOf) => string

/** Converts a text again only if one of its URLs becomes another link, because files are proposed several times. */
export function rememberBodies(convert: (html: string, linkOf: LinkOf) => string): ToBody {
  const known = new Map<
    string,
    { readonly links: ReadonlyMap<string, string | undefined>; readonly body: string }
  >()
  return ({ source, html }, linkOf) => {
    const before = known.get(source)
    if (before !== undefined && [...before.links].every(([url, link]) => linkOf(url) === link))
      return before.body
    const links = new Map<string, string | undefined>()
    const body = convert(html, (url) => {
      const link = linkOf(url)
      links.set(url, link)
      return link
    })
    known.set(source, { links, body })
    return body
  }
}
