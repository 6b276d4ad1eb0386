import type { RenderedBody, Slot } from '../../content/markdown/rendered-body.ts'
import { escapeAttribute, joinTemplate, readUrls } from '../../content/markdown/slot-template.ts'
import { readableUrl } from '../../core/readable-url.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'

/** Knows for each link of one file how its author wrote it and where it leads. */
export interface LinkSpelling {
  /** The HTML of a template made of this file or of a changed version. */
  readonly resolve: (template: RenderedBody) => string
  /** HTML in which broken links that are sent as text have their URLs again; they are found by their text. */
  readonly relink: (html: string) => string
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
  /** Broken links that are sent as text. */
  const unlinked = new Set<string>()
  const unlinkedUrls = new Map<string, string>()
  const urls = sentHtml === undefined ? [] : readUrls(template.html, sentHtml)
  urls.forEach((url, index) => {
    const written = template.slots[index]?.url ?? ''
    const spelling = readableUrl(written)
    if (url === undefined) {
      unlinked.add(spelling)
      const [linked = ''] = template.html
        .slice(index + 1)
        .join('')
        .split('</a>')
      unlinkedUrls.set(textIn(`<a${linked}`), written)
    } else {
      addresses.set(spelling, url)
      if (!spellings.has(url)) spellings.set(url, spelling)
    }
  })
  const addressOf = ({ kind, url }: Slot): string | undefined => {
    const spelling = readableUrl(url)
    return kind === 'link' && unlinked.has(spelling) ? undefined : (addresses.get(spelling) ?? url)
  }
  return {
    resolve: ({ html, slots }) => joinTemplate(html, slots.map(addressOf)),
    relink: (html) => {
      if (unlinkedUrls.size === 0) return html
      return html.replaceAll(BARE_LINK, (whole, attributes: string, content: string) => {
        const url = unlinkedUrls.get(textIn(content))
        return url === undefined ? whole : `<a href="${escapeAttribute(url)}"${attributes}>${content}</a>`
      })
    },
    linkOf: (url) => {
      const spelling = spellings.get(url) ?? linkOf(url)
      if (spelling !== undefined && !addresses.has(readableUrl(spelling)))
        addresses.set(readableUrl(spelling), url)
      return spelling
    },
  }
}

/** A link without `href`. */
const BARE_LINK = /<a((?:\s(?![^>]*\bhref\s*=)[^>]*)?)>(.*?)<\/a>/gis

function textIn(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
