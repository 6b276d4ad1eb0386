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

/** Deeper elements are not shown on any page, and the parser takes time quadratic in the depth. */
const DEPTH_LIMIT = 400

/** Length of HTML that is parsed in one step. */
const READ_AT_ONCE = 20_000

class NestedTooDeeply extends Error {}

/**
 * The text of `html` for readers, including code and alt text, on one line. Stops if the HTML is nested too deeply.
 */
export function plainText(html: string): string {
  return finish(readTextInSteps(html, Number.POSITIVE_INFINITY))
}

/** The same in short steps. Stops soon after `limit` characters of text. */
export function* readTextInSteps(html: string, limit: number): Steps<string> {
  const pieces: string[] = []
  let depth = 0
  let silent = 0
  let length = 0
  const parser = new Parser({
    onopentag(name, { alt }) {
      if (++depth > DEPTH_LIMIT) throw new NestedTooDeeply()
      if (SILENT.has(name)) silent++
      if (!INLINE.has(name)) pieces.push(' ')
      if (name === 'img' && alt !== undefined) pieces.push(alt, ' ')
    },
    onclosetag(name) {
      depth--
      if (SILENT.has(name)) silent--
      if (!INLINE.has(name)) pieces.push(' ')
    },
    ontext(text) {
      if (silent > 0) return
      pieces.push(text)
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
  return pieces.join('').replaceAll(/\s+/g, ' ').trim()
}
