import type { RenderedBody } from './rendered-body.ts'

/** Returns the placeholder for the URL of slot `index` in the HTML. It needs no escaping in an attribute. */
export function slotToken(nonce: string, index: number): string {
  return `kb-slot-${nonce}-${index}-`
}

/** Returns the slot of the token `text`, or undefined if it is not a token. */
export function readSlotToken(nonce: string, text: string): number | undefined {
  const prefix = `kb-slot-${nonce}-`
  return text.startsWith(prefix) ? Number.parseInt(text.slice(prefix.length), 10) : undefined
}

/** Splits `html` at the tokens of `count` slots, which it contains once each, in order. */
export function splitAtSlots(html: string, nonce: string, count: number): string[] {
  const segments: string[] = []
  let from = 0
  for (let index = 0; index < count; index++) {
    const token = slotToken(nonce, index)
    const at = html.indexOf(token, from)
    if (at === -1) throw new Error(`The HTML lost the address of slot ${index}.`)
    segments.push(html.slice(from, at))
    from = at + token.length
  }
  segments.push(html.slice(from))
  return segments
}

/** The text before the slot of a link. */
const HREF = ' href="'

/**
 * Returns the finished HTML, with `urls[i]` at slot i, escaped for a double-quoted attribute exactly like
 * hast-util-to-html. A link without a URL loses its `href`, so that readers see text.
 */
export function joinTemplate(html: RenderedBody['html'], urls: readonly (string | undefined)[]): string {
  let joined = html[0] ?? ''
  for (let index = 1; index < html.length; index++) {
    const url = urls[index - 1]
    const segment = html[index] ?? ''
    if (url !== undefined) joined += escapeAttribute(url) + segment
    else joined = joined.slice(0, -HREF.length) + segment.slice(1)
  }
  return joined
}

/** Returns the URLs from which `joinTemplate` created `html`; none if `html` has another template. */
export function readUrls(template: RenderedBody['html'], html: string): (string | undefined)[] {
  const urls: (string | undefined)[] = []
  let at = 0
  let rest = template[0] ?? ''
  for (const next of template.slice(1)) {
    const bare = rest.slice(0, -HREF.length)
    if (html.startsWith(rest, at)) {
      const start = at + rest.length
      at = html.indexOf('"', start)
      urls.push(unescapeAttribute(html.slice(start, at)))
      rest = next
    } else if (rest.endsWith(HREF) && html.startsWith(bare, at)) {
      at += bare.length
      urls.push(undefined)
      rest = next.slice(1)
    } else return []
  }
  return urls
}

export function escapeAttribute(value: string): string {
  return value.replace(/[\0"&'`]/g, (char) => `&#x${char.charCodeAt(0).toString(16).toUpperCase()};`)
}

function unescapeAttribute(value: string): string {
  return value.replaceAll(/&#x([0-9A-F]+);/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
