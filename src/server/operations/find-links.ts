import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { LISTED_URL_LIMIT_BYTES } from '../../api/contract/fields.ts'

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
  const read = plainLinkTags(html) ?? html
  const reader = new LinkReader(read, most)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  tokenizer.write(read)
  tokenizer.end()
  return [...reader.links]
}

/** Maximum length of HTML that is read with a regular expression, which needs memory for backtracking. */
const LONGEST_PLAIN = 1_000_000

/** A tag or a comment that ends where it seems to, and does not change how the following text is parsed. */
const PLAIN_TAG = plainTag(
  'script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext|svg|math|template|foreignobject|desc',
)

/** @param others names of tags that are not plain */
function plainTag(others: string): RegExp {
  const start = `(?!(?:${others})\\b)[a-z][a-z\\d]*(?: [a-z][a-z\\d-]*(?:="[^"]*")?)* ?/?>`
  return new RegExp(`<(?:/[a-z][a-z\\d]*>|${start}|!--(?:-?[^->])*-->)`, 'y')
}

/**
 * Returns only the start tags of links if every tag in `html` is plain, as in generated HTML; this takes a fifth of the
 * time. Undefined otherwise.
 */
function plainLinkTags(html: string): string | undefined {
  if (html.length > LONGEST_PLAIN) return undefined
  let tags = ''
  for (let start = html.indexOf('<'), end: number; start !== -1; start = html.indexOf('<', end)) {
    PLAIN_TAG.lastIndex = start
    if (!PLAIN_TAG.test(html)) return undefined
    end = PLAIN_TAG.lastIndex
    if (html.startsWith('a ', start + 1) || html.startsWith('img ', start + 1)) tags += html.slice(start, end)
  }
  return tags
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

function isLink(target: string): boolean {
  if (target === '' || target.startsWith('#') || isTooLong(target)) return false
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(target)?.[1]?.toLowerCase()
  return scheme === undefined || scheme === 'http' || scheme === 'https'
}

function isTooLong(target: string): boolean {
  return target.length > LISTED_URL_LIMIT_BYTES || Buffer.byteLength(target) > LISTED_URL_LIMIT_BYTES
}
