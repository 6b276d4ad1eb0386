import type { RenderedBody } from '../../content/markdown/rendered-body.ts'
import { joinTemplate } from '../../content/markdown/slot-template.ts'
import { readableUrl } from '../../core/readable-url.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'

/** Knows for each link of one file how its author wrote it and where it leads. */
export interface LinkSpelling {
  /** The HTML of a template made of this file or of a changed version. */
  readonly resolve: (template: RenderedBody) => string
  /** What the author wrote for an address, or would write. */
  readonly linkOf: LinkOf
}

/**
 * Learns from the file's template and the HTML that is sent of it; what is not in there is asked of `linkOf`, and
 * remembered.
 */
export function createLinkSpelling(
  template: RenderedBody,
  sentHtml: string | undefined,
  linkOf: LinkOf,
): LinkSpelling {
  const addresses = new Map<string, string>()
  const spellings = new Map<string, string>()
  const urls = sentHtml === undefined ? [] : readSlots(template.html, sentHtml)
  template.slots.forEach((slot, index) => {
    const url = urls[index]
    if (url === undefined) return
    addresses.set(readableUrl(slot.url), url)
    if (!spellings.has(url)) spellings.set(url, readableUrl(slot.url))
  })
  return {
    resolve: ({ html, slots }) =>
      joinTemplate(
        html,
        slots.map(({ url }) => addresses.get(readableUrl(url)) ?? url),
      ),
    linkOf: (url) => {
      const spelling = spellings.get(url) ?? linkOf(url)
      if (spelling !== undefined && !addresses.has(readableUrl(spelling)))
        addresses.set(readableUrl(spelling), url)
      return spelling
    },
  }
}

/** The addresses that stand in `html` where its template has gaps; none where it is of another template. */
function readSlots(segments: readonly string[], html: string): string[] {
  const [first = '', ...others] = segments
  const urls: string[] = []
  let at = html.startsWith(first) ? first.length : -1
  others.forEach((segment, index) => {
    if (at === -1) return
    const isLast = index === others.length - 1
    // What follows the last gap may have been cut at its end, white space for one.
    const end = html.indexOf(isLast ? segment.slice(0, 1) : segment, at)
    if (end !== -1) urls.push(unescapeAttribute(html.slice(at, end)))
    at = end === -1 ? -1 : end + segment.length
  })
  return at === -1 ? [] : urls
}

function unescapeAttribute(value: string): string {
  return value.replaceAll(/&#x([0-9A-F]+);/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
