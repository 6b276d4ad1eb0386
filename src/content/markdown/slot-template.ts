import type { RenderedBody } from './rendered-body.ts'

/** The stand-in for the address of slot `index` while the HTML is made; needs no escaping in an attribute. */
export function slotToken(nonce: string, index: number): string {
  return `kb-slot-${nonce}-${index}-`
}

/** The slot whose token `text` is, or undefined where it is none. */
export function readSlotToken(nonce: string, text: string): number | undefined {
  const prefix = `kb-slot-${nonce}-`
  return text.startsWith(prefix) ? Number.parseInt(text.slice(prefix.length), 10) : undefined
}

/** Cuts `html` at the tokens of `count` slots, which stand in it in order, once each. */
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

/** What stands before the slot of a link. */
const HREF = ' href="'

/**
 * The finished HTML: `urls[i]` stands at slot i, escaped for a double-quoted attribute exactly as hast-util-to-html
 * escapes there. A link without a URL loses its `href`, and is text to a reader.
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

/** The URLs that `joinTemplate` was given to make `html` of the same template; none where it is of another one. */
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
