import { Parser } from 'htmlparser2'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toHast } from 'mdast-util-to-hast'

const ESCAPE_OR_REFERENCE = /\\([!-/:-@[-`{-~])|&(?:#\d{1,7}|#x[\da-f]{1,6}|[\da-z]{1,31});/gi

/** What a Markdown reader makes of an address: backslash escapes and character references resolved. */
export function decodeMarkdown(written: string): string {
  if (!/[\\&]/.test(written)) return written
  return written.replace(
    ESCAPE_OR_REFERENCE,
    (whole, escaped: string | undefined) => escaped ?? decodeReference(whole),
  )
}

function decodeReference(reference: string): string {
  const [paragraph] = fromMarkdown(reference).children
  const text = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined
  return text?.type === 'text' ? text.value : reference
}

/** What an HTML reader makes of the text between the quotes of an attribute. */
export function decodeAttribute(written: string): string {
  if (!written.includes('&')) return written
  let value = written
  const parser = new Parser({ onattribute: (_name, decoded) => (value = decoded) })
  const quote = written.includes('"') ? "'" : '"'
  parser.end(`<a href=${quote}${written}${quote}>`)
  return value
}

// Most addresses with an ampersand have a query, and no entity: a parser is not needed to see that.
const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/i

/** An address as people read it: a target may list it as it stands in the HTML, with `&#x26;` for `&`. */
export function readableAddress(listed: string): string {
  const text = listed.trim()
  return ENTITY.test(text) ? decodeAttribute(text) : text
}

/** A Markdown address as it stands in HTML: percent-encoded where it must be, see `normalizeUri` of micromark. */
export function toHref(url: string): string {
  const element = toHast({ type: 'link', url, children: [] })
  const href = element.type === 'element' ? element.properties['href'] : undefined
  return typeof href === 'string' ? href : url
}
