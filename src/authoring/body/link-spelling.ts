import type { RenderedBody, Slot } from '../../content/markdown/rendered-body.ts'
import { escapeAttribute, joinTemplate, readUrls } from '../../content/markdown/slot-template.ts'
import { readableUrl } from '../../core/readable-url.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'
import { dialectOf, kindIn, type PresetName } from '../../core/dialects/dialects.ts'
import { readShortcodes } from '../../content/dialect/shortcodes/read-shortcodes.ts'
import { linkOf as shortcodeAddress } from '../../content/dialect/shortcodes/shown-shortcodes.ts'

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

/** Writes links in the author's own syntax, for which no Markdown address exists. */
export interface OwnLinks {
  /** Replaces each address that has such a syntax with a placeholder word. */
  readonly mark: (linkOf: LinkOf) => LinkOf
  /** Replaces the placeholders with the author's syntax. */
  readonly write: (markdown: string) => string
}

/** Finds addresses in `body` that are written in the syntax of `dialect`. @param word does not occur in the body */
export function createOwnLinks(body: string, dialect: PresetName | undefined, word: string): OwnLinks {
  const written = dialect === undefined ? new Map<string, string>() : findOwn(body, dialect)
  if (written.size === 0) return { mark: (linkOf) => linkOf, write: (markdown) => markdown }
  const numbers = new Map([...written.keys()].map((address, index) => [address, index] as const))
  const marked = (address: string | undefined): string | undefined => {
    const number = address === undefined ? undefined : numbers.get(readableUrl(address))
    return number === undefined ? undefined : `${word}l${number}x`
  }
  const words = [...written.values()]
  const pattern = new RegExp(`${word}l(\\d+)x`, 'g')
  return {
    mark: (linkOf) => (url) => {
      const address = linkOf(url)
      return marked(address ?? url) ?? address
    },
    write: (markdown) =>
      markdown.replaceAll(pattern, (whole, number: string) => words[Number(number)] ?? whole),
  }
}

function findOwn(body: string, preset: PresetName): Map<string, string> {
  const own = new Map<string, string>()
  const {
    text: { shortcodes },
    links: { filePrefix },
  } = dialectOf(preset)
  if (shortcodes !== undefined)
    for (const code of readShortcodes(body)) {
      const isAddress = kindIn(shortcodes, code.name) === 'address' && code.kind !== 'escaped'
      const address = isAddress ? shortcodeAddress(code) : ''
      if (address !== '' && !own.has(readableUrl(address))) own.set(readableUrl(address), code.written)
    }
  if (filePrefix !== undefined)
    for (const [written, address = ''] of body.matchAll(new RegExp(`${filePrefix}(/[^\\s"'<>()]*)`, 'g')))
      if (!body.includes(`](${address}`)) own.set(readableUrl(address), written)
  return own
}
