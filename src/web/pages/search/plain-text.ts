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

function onOneLine(pieces: readonly string[]): string {
  return pieces.join('').replaceAll(/\s+/g, ' ').trim()
}
