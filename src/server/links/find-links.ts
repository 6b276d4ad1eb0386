import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { LISTED_URL_LIMIT_BYTES } from '../../api/contract/fields.ts'
import { runSteps, runStepsInSlices, type Steps } from '../../web/pages/search/steps.ts'

/** White space that HTML strips around a URL. A no-break space is part of the URL. */
const ASCII_WHITE_SPACE = ' \t\n\f\r'

/** Attributes with links, by tag name. */
const LINK_ATTRIBUTES: Readonly<Record<string, string>> = { a: 'href', img: 'src' }

/**
 * Elements in which tags such as `style` do not hide the following text, and their descendants that contain HTML again.
 */
const CONTEXTS: Readonly<Record<string, 'foreign' | 'html'>> = {
  svg: 'foreign',
  math: 'foreign',
  foreignobject: 'html',
  desc: 'html',
  'annotation-xml': 'html',
}

/** Length of the longest relevant name. */
const LONGEST_NAME = 'annotation-xml'.length

/**
 * Returns the targets of all `a href` and `img src` in `html` that are http(s) or relative, each once, in order. Omits
 * pure fragments (`#…`), `data:`, `mailto:` and the like, links in a `template`, which is not shown, and URLs that are
 * too long to be listed.
 * Reads tokens instead of a tree: for each end tag a parser searches the open elements, which takes minutes with
 * hundreds of thousands of them.
 *
 * @param most maximum number of links; the rest is omitted
 */
export function findLinks(html: string, most: number = Number.POSITIVE_INFINITY): string[] {
  // HTML without any link need not be read.
  if (!/<(?:a|img)[\s/]/i.test(html)) return []
  return plainLinks(html, most) ?? runSteps(readLinks(html, most))
}

/** The same, in slices if it is long. */
export async function findLinksInSlices(html: string, most: number): Promise<string[]> {
  return html.length > LONGEST_PLAIN ? runStepsInSlices(readLinks(html, most)) : findLinks(html, most)
}

/** Maximum length of HTML that is read with regular expressions, which need memory for backtracking. */
const LONGEST_PLAIN = 1_000_000

/** Length of HTML that is read in one step. */
const STEP_LENGTH = 100_000

function* readLinks(html: string, most: number): Steps<string[]> {
  const reader = new LinkReader(html, most)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  for (let start = 0; start < html.length; start += STEP_LENGTH) {
    tokenizer.write(html.slice(start, start + STEP_LENGTH))
    yield
  }
  tokenizer.end()
  return [...reader.links]
}

/** Tags without links that change how the following text is parsed. */
const SPECIAL =
  'script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext|svg|math|template|foreignobject|desc'

const ATTRIBUTE = String.raw`(?: [a-z][a-z\d-]*(?:="[^"]*")?)`

/** Tags and comments without links that end where they seem to, with the text after each. */
const PLAIN = new RegExp(
  String.raw`(?:<(?:/[a-z][a-z\d]*>|(?!(?:a|img|${SPECIAL})\b)[a-z][a-z\d]*${ATTRIBUTE}* ?/?>|!--(?:-?[^->])*-->)[^<]*){0,1000}`,
  'y',
)

/** Such a start tag with a link, and the text after it. Captures the first value of its attribute. */
const PLAIN_LINKS = Object.entries(LINK_ATTRIBUTES).map(([tag, attribute]) => {
  const other = String.raw`(?:(?! ${attribute}(?![a-z\d-]))${ATTRIBUTE})`
  return new RegExp(`<${tag}${other}*(?: ${attribute}(?:="([^"]*)")?${ATTRIBUTE}*)? ?/?>[^<]*`, 'y')
})

/** Returns the links if every tag is plain, as in generated HTML; undefined otherwise. Takes a quarter of the time. */
function plainLinks(html: string, most: number): string[] | undefined {
  if (html.length > LONGEST_PLAIN) return undefined
  const links = new Set<string>()
  for (let start = html.indexOf('<'); start < html.length;) {
    PLAIN.lastIndex = start
    PLAIN.test(html)
    let end = PLAIN.lastIndex
    for (const pattern of PLAIN_LINKS) {
      pattern.lastIndex = end
      const found = pattern.exec(html)
      if (found === null) continue
      end = pattern.lastIndex
      const [tag, value = ''] = found
      for (const link of value.includes('&') ? runSteps(readLinks(tag, 1)) : [trimAscii(value)])
        if (links.size < most && isLink(link)) links.add(link)
    }
    if (end === start) return undefined
    start = end
  }
  return [...links]
}

class LinkReader implements TokenizerCallbacks {
  readonly links = new Set<string>()
  readonly #html: string
  readonly #most: number
  readonly #contexts: string[] = []
  #templates = 0
  #tag = ''
  /** The link attribute of the open tag; undefined if it has none, or after it was read. */
  #wanted: string | undefined
  #isReading = false
  #value = ''
  #target = ''

  constructor(html: string, most: number) {
    this.#html = html
    this.#most = most
  }

  isInForeignContext() {
    return CONTEXTS[this.#contexts.at(-1) ?? ''] === 'foreign'
  }

  onopentagname(start: number, end: number) {
    const tag = this.#nameAt(start, end)
    if (tag === 'template') this.#templates++
    else if (tag in CONTEXTS) this.#contexts.push(tag)
    this.#tag = tag
    this.#wanted = this.#templates === 0 ? LINK_ATTRIBUTES[tag] : undefined
    this.#target = ''
  }

  onattribname(start: number, end: number) {
    this.#isReading = this.#wanted !== undefined && this.#nameAt(start, end) === this.#wanted
    this.#value = ''
  }

  onattribdata(start: number, end: number) {
    if (this.#isReading) this.#value += this.#html.slice(start, end)
  }

  onattribentity(codePoint: number) {
    if (this.#isReading) this.#value += String.fromCodePoint(codePoint)
  }

  onattribend() {
    if (!this.#isReading) return
    this.#target = this.#value
    // If two attributes have the same name, the first one counts.
    this.#wanted = undefined
    this.#isReading = false
  }

  onopentagend() {
    const link = trimAscii(this.#target)
    if (this.links.size < this.#most && isLink(link)) this.links.add(link)
    this.#target = ''
  }

  onselfclosingtag() {
    this.onopentagend()
    if (this.#tag in CONTEXTS) this.#leave(this.#tag)
  }

  onclosetag(start: number, end: number) {
    this.#leave(this.#nameAt(start, end))
  }

  // Only tags contain links.
  oncdata() {}
  oncomment() {}
  ondeclaration() {}
  onend() {}
  onprocessinginstruction() {}
  ontext() {}
  ontextentity() {}

  #nameAt(start: number, end: number): string {
    return end - start > LONGEST_NAME ? '' : this.#html.slice(start, end).toLowerCase()
  }

  #leave(name: string): void {
    if (name === 'template') this.#templates = Math.max(0, this.#templates - 1)
    else if (this.#contexts.at(-1) === name) this.#contexts.pop()
  }
}

// A regular expression for trailing white space would backtrack in every run of it.
function trimAscii(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && ASCII_WHITE_SPACE.includes(text.charAt(start))) start++
  while (end > start && ASCII_WHITE_SPACE.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const WEB_OR_RELATIVE = /^(?:https?:|(?![a-z][a-z0-9+.-]*:))/i

function isLink(target: string): boolean {
  if (target === '' || target.startsWith('#') || isTooLong(target)) return false
  // URL parsers skip these characters, also within a scheme.
  return WEB_OR_RELATIVE.test(target.replace(/[\t\n\r]/g, ''))
}

/** Maximum number of bytes of a UTF-16 code unit in UTF-8. */
const MOST_BYTES = 3

function isTooLong(target: string): boolean {
  // Bytes are counted only if there may be too many.
  return (
    target.length * MOST_BYTES > LISTED_URL_LIMIT_BYTES && Buffer.byteLength(target) > LISTED_URL_LIMIT_BYTES
  )
}
