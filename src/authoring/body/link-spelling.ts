import type { RenderedBody, Slot } from '../../content/markdown/rendered-body.ts'
import { escapeAttribute, joinTemplate, readUrls } from '../../content/markdown/slot-template.ts'
import { readableUrl } from '../../core/readable-url.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'

/** The author's spelling of each link in a file, and its target. */
export interface LinkSpelling {
  /** The HTML of a template made from this file or a changed version of it. */
  readonly resolve: (template: RenderedBody) => string
  /** Restores the URLs of broken links that are sent as text. They are found by their text. */
  readonly relink: (html: string) => string
  /** The address that the author wrote for a URL, or would write. */
  readonly linkOf: LinkOf
}

/** Learns from the file's template and the HTML sent for it. Asks `linkOf` for other URLs, and caches the result. */
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
