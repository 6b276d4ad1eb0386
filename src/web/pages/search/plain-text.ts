import { Parser } from 'htmlparser2'
import { finish, type Steps } from './steps.ts'

/** Elements without text for readers. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])

/** Inline elements: their tags do not end a word. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup u var wbr'.split(
    ' ',
  ),
)

const HEADING = /^h[1-6]$/

/** Deeper elements are not shown on any page, and the parser takes time quadratic in the depth. */
const DEPTH_LIMIT = 400

/** Length of HTML that is parsed in one step. */
const READ_AT_ONCE = 20_000

class NestedTooDeeply extends Error {}

/**
 * The text of `html` for readers, including code and alt text, on one line. Stops if the HTML is nested too deeply.
 */
export function plainText(html: string): string {
  return finish(readTextInSteps(html, Number.POSITIVE_INFINITY)).text
}

/** A text, and the part of it that is in headings. */
interface ReadText {
  readonly text: string
  readonly headings: string
}

/** The same in short steps. Stops soon after `limit` characters of text. */
export function* readTextInSteps(html: string, limit: number): Steps<ReadText> {
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
      if (!INLINE.has(name)) pieces.push(' ')
      if (HEADING.test(name) && heading++ === 0) headings.push(' ')
      if (name === 'img' && alt !== undefined) pieces.push(alt, ' ')
    },
    onclosetag(name) {
      depth--
      if (SILENT.has(name)) silent--
      if (!INLINE.has(name)) pieces.push(' ')
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
  return { text: onOneLine(pieces), headings: onOneLine(headings) }
}

/** White space that is not one space already. */
const UNEVEN = /\s{2,}|[^\S ]/g

function onOneLine(pieces: readonly string[]): string {
  return pieces.join('').replaceAll(UNEVEN, ' ').trim()
}

/** A text between two tags. */
export interface TextPiece {
  readonly text: string
  /** Where it is in the HTML, or a little before. */
  readonly at: number
  /** The end of the last element before it whose text is not shown. */
  readonly shownFrom: number
}

/** A comment, a declaration or a tag, with its name and attributes. No part can match what another one could. */
const TAG =
  /<(?:!--[^]*?-->|(?!!--)[!?][^>]*>|\/?([a-z][^\s/>"']*)(?![^\s/>"'])([^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*)>)/iy

const ALT = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i

/**
 * The texts in HTML, about ten times as fast as a parser, for what need not be exact: words with tags inside are two, and
 * nothing follows a tag that is not closed.
 */
export function* textPieces(html: string): Generator<TextPiece> {
  let at = 0
  let shownFrom = 0
  while (at < html.length) {
    const found = html.indexOf('<', at)
    const end = found === -1 ? html.length : found
    if (end > at) yield { text: decode(html.slice(at, end)), at, shownFrom }
    if (found === -1) return
    TAG.lastIndex = end
    const tag = TAG.exec(html)
    if (tag === null) {
      // A sign, or a tag without an end.
      at = /[a-z/!?]/i.test(html.charAt(end + 1)) ? html.length : end + 1
      continue
    }
    at = TAG.lastIndex
    const [opening = '', name = '', attributes = ''] = tag
    const alt = name.toLowerCase() === 'img' ? ALT.exec(attributes) : null
    if (alt !== null) yield { text: decode(alt[1] ?? alt[2] ?? ''), at: end, shownFrom }
    if (name === '' || opening.startsWith('</') || !SILENT.has(name.toLowerCase())) continue
    const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
    closing.lastIndex = at
    at = closing.test(html) ? closing.lastIndex - 1 : html.length
    shownFrom = at
  }
}

function decode(text: string): string {
  return text.includes('&') ? plainText(text) : text
}
