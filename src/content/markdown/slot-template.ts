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

/**
 * The finished HTML: `urls[i]` stands at slot i, escaped for a double-quoted attribute exactly as hast-util-to-html
 * escapes there.
 */
export function joinTemplate(html: RenderedBody['html'], urls: readonly string[]): string {
  let joined = html[0] ?? ''
  for (let index = 1; index < html.length; index++) {
    joined += escapeAttribute(urls[index - 1] ?? '') + html[index]
  }
  return joined
}

function escapeAttribute(value: string): string {
  return value.replace(/[\0"&'`]/g, (char) => `&#x${char.charCodeAt(0).toString(16).toUpperCase()};`)
}
