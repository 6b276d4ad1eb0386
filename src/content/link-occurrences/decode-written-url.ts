import { Parser } from 'htmlparser2'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toHast } from 'mdast-util-to-hast'

const ESCAPE_OR_REFERENCE = /\\([!-/:-@[-`{-~])|&(?:#\d{1,7}|#x[\da-f]{1,6}|[\da-z]{1,31});/gi

/** Decodes a URL as a Markdown parser does: resolves backslash escapes and character references. */
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

/** Decodes the text between the quotes of an attribute as an HTML parser does. */
export function decodeAttribute(written: string): string {
  if (!written.includes('&')) return written
  let value = written
  const parser = new Parser({ onattribute: (_name, decoded) => (value = decoded) })
  const quote = written.includes('"') ? "'" : '"'
  parser.end(`<a href=${quote}${written}${quote}>`)
  return value
}

// Most URLs with an ampersand have a query and no entity, which this test detects without a parser.
const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/i

/** Decodes a listed URL for display: a target may list it as in HTML, with `&#x26;` for `&`. */
export function readableAddress(listed: string): string {
  const text = listed.trim()
  return ENTITY.test(text) ? decodeAttribute(text) : text
}

/** Converts a URL in Markdown to its form in HTML: percent-encoded where necessary, see `normalizeUri` of micromark. */
export function toHref(url: string): string {
  const element = toHast({ type: 'link', url, children: [] })
  const href = element.type === 'element' ? element.properties['href'] : undefined
  return typeof href === 'string' ? href : url
}
