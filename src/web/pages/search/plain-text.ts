import { Parser } from 'htmlparser2'
import { runSteps, type Steps } from './steps.ts'

/** Elements without text for readers. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])

/** Inline elements: their tags do not end a word. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup u var wbr'.split(
    ' ',
  ),
)

const HEADING = /^h[1-6]$/

/** Elements whose text is apart from the text around them. */
const BLOCK = /^(?:h[1-6]|p|pre|li|d[dlt]|t[dhr]|[uo]l|table|caption|blockquote|details|summary|figcaption)$/

/** White space that marks the edge of a block. */
const EDGE = '\u2029'

/** Deeper elements are not shown on any page, and parsing takes time quadratic in the depth. */
const DEPTH_LIMIT = 400

/** Length of HTML that is parsed in one step. */
const READ_AT_ONCE = 20_000

class NestedTooDeeply extends Error {}

/** Returns the readable text of `html`, including code and alt text, on one line. Stops at too deeply nested HTML. */
export function plainText(html: string): string {
  return runSteps(readTextInSteps(html, Number.POSITIVE_INFINITY)).text
}

/**
 * Does the same in short steps, and returns the part that is in headings, too. Stops soon after `limit` characters of text.
 *
 * @param isMarked true to put a dot between blocks, unless punctuation separates them
 */
export function* readTextInSteps(
  html: string,
  limit: number,
  isMarked = false,
): Steps<{ readonly text: string; readonly headings: string }> {
  const pieces: string[] = []
  const headings: string[] = []
  let heading = 0
  let depth = 0
  let silent = 0
  let length = 0
  const parser = new Parser({
    onopentag(name, { alt }) {
      if (++depth > DEPTH_LIMIT) throw new NestedTooDeeply()
      if (SILENT.has(name)) silent++
      if (!INLINE.has(name)) pieces.push(BLOCK.test(name) ? EDGE : ' ')
      if (HEADING.test(name) && heading++ === 0) headings.push(' ')
      if (name === 'img' && alt !== undefined) pieces.push(alt, ' ')
    },
    onclosetag(name) {
      depth--
      if (SILENT.has(name)) silent--
      if (!INLINE.has(name)) pieces.push(BLOCK.test(name) ? EDGE : ' ')
      if (HEADING.test(name)) heading--
    },
    ontext(text) {
      if (silent > 0) return
      pieces.push(text)
      if (heading > 0) headings.push(text)
      length += text.length
    },
  })
  try {
    for (let start = 0; start < html.length; start += READ_AT_ONCE) {
      if (length >= limit) break
      parser.write(html.slice(start, start + READ_AT_ONCE))
      yield
    }
    parser.end()
  } catch (error) {
    if (!(error instanceof NestedTooDeeply)) throw error
  }
  return { text: onOneLine(isMarked ? markEdges(pieces) : pieces), headings: onOneLine(headings) }
}

function markEdges(pieces: readonly string[]): string[] {
  const text = pieces.join('').replaceAll(/\s+/g, (space) => (space.includes(EDGE) ? EDGE : ' '))
  return [
    text
      .trim()
      .replaceAll(/([.,:;!?…。、，：；！？]?)\u2029/g, (_, end: string) => end + (end ? ' ' : ' · ')),
  ]
}

/** White space other than a single space. */
const UNEVEN = /\s{2,}|[^\S ]/g

function onOneLine(pieces: readonly string[]): string {
  return pieces.join('').replaceAll(UNEVEN, ' ').trim()
}

/** A text between two tags, or the alt text of an image. */
export interface TextPiece {
  readonly text: string
  /** Its start in the HTML; for an alt text, that of its tag. */
  readonly at: number
  /** Its end in the HTML; for an alt text, that of its tag. The HTML cannot be cut in between. */
  readonly end: number
}

/** A comment, a declaration or a tag, with its name and attributes. The parts match disjoint texts. */
const TAG =
  /<(?:!--[^]*?-->|(?!!--)[!?][^>]*>|\/?([a-z][^\s/>"']*)(?![^\s/>"'])([^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*)>)/iy

const ALT = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i

/** Elements whose content has no tags. */
const RAW: ReadonlySet<string> = new Set(['script', 'style'])

/**
 * Finds the texts in HTML, about ten times as fast as a parser but not exactly: words with tags inside are two words,
 * and nothing follows a tag that is not closed.
 */
export function* textPieces(html: string): Generator<TextPiece> {
  let at = 0
  /** The outermost open element whose text is not shown, and the number of open elements with its name. */
  let [silent, depth] = ['', 0]
  while (at < html.length) {
    const found = html.indexOf('<', at)
    const end = found === -1 ? html.length : found
    if (end > at && depth === 0) yield* piecesBetween(html, at, end)
    if (found === -1) return
    TAG.lastIndex = end
    const tag = TAG.exec(html)
    if (tag === null) {
      // A less-than sign, or a tag without an end.
      at = /[a-z/!?]/i.test(html.charAt(end + 1)) ? html.length : end + 1
      continue
    }
    at = TAG.lastIndex
    const [opening, written = '', attributes = ''] = tag
    const name = written.toLowerCase()
    const alt = name === 'img' && depth === 0 ? ALT.exec(attributes) : null
    if (alt !== null) yield { text: decode(alt[1] ?? alt[2] ?? ''), at: end, end }
    const isClosing = opening.startsWith('</')
    if (!SILENT.has(name)) continue
    if (RAW.has(name)) at = isClosing ? at : behindClosing(html, name, at)
    else if (depth > 0) depth += name === silent ? (isClosing ? -1 : 1) : 0
    else if (!isClosing) [silent, depth] = [name, 1]
  }
}

/** Returns the end of the closing tag of an element that contains no tags. */
function behindClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = from
  const end = closing.test(html) ? html.indexOf('>', closing.lastIndex - 1) : -1
  return end === -1 ? html.length : end + 1
}

/** Maximum length of a piece with entities, which shift the positions of characters. */
const LONGEST_DECODED = 500

function* piecesBetween(html: string, from: number, end: number): Generator<TextPiece> {
  const text = html.slice(from, end)
  if (!text.includes('&')) return yield { text, at: from, end }
  let at = 0
  while (at < text.length) {
    const piece = text.slice(at, at + LONGEST_DECODED)
    // Cuts between words, or at least not within an entity.
    const space = piece.search(/\s\S*$/)
    const cut = space > 0 ? space : piece.lastIndexOf('&')
    const length = cut > 0 && at + piece.length < text.length ? cut : piece.length
    yield { text: decode(piece.slice(0, length)), at: from + at, end: from + at + length }
    at += length
  }
}

function decode(text: string): string {
  return text.includes('&') ? plainText(text) : text
}
