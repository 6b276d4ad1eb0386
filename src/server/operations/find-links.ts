import { Tokenizer } from 'htmlparser2'
import { LISTED_URL_LIMIT_BYTES } from '../../api/contract/fields.ts'

/** What HTML strips around an address; a no-break space is part of it. */
const ASCII_WHITE_SPACE = ' \t\n\f\r'

/** Attributes that hold links, by the name of the tag. */
const LINK_ATTRIBUTES: Readonly<Record<string, string>> = { a: 'href', img: 'src' }

/** Elements in which tags such as `style` do not hide what follows them, and those within that are HTML again. */
const CONTEXTS: Readonly<Record<string, 'foreign' | 'html'>> = {
  svg: 'foreign',
  math: 'foreign',
  foreignobject: 'html',
  desc: 'html',
  'annotation-xml': 'html',
}

/** The longest name that means anything here. */
const LONGEST_NAME = 'annotation-xml'.length

/**
 * Targets of every `a href` and `img src` in `html` that is http(s) or relative, each once, in order. A pure fragment
 * (`#…`) is none, nor is `data:`, `mailto:` and the like, nor what stands in a `template`, which is not shown, nor what
 * is longer than a listed URL may be.
 *
 * Reads tokens, not a tree: a parser looks for the beginning of each element that ends, which takes minutes where
 * hundreds of thousands are open.
 *
 * @param most of more links than that, some are left out
 */
export function findLinks(html: string, most: number = Number.POSITIVE_INFINITY): string[] {
  // HTML that cannot hold a link need not be read.
  if (!/<(?:a|img)[\s/]/i.test(html)) return []
  const links = new Set<string>()
  const contexts: string[] = []
  let templates = 0
  let tag = ''
  // The attribute of the open tag that holds its link; undefined where it has none, or once it was read.
  let wanted: string | undefined
  let isReading = false
  let value = ''
  let target = ''

  const nameAt = (start: number, end: number) =>
    end - start > LONGEST_NAME ? '' : html.slice(start, end).toLowerCase()

  function leave(name: string): void {
    if (name === 'template') templates = Math.max(0, templates - 1)
    else if (contexts.at(-1) === name) contexts.pop()
  }

  function endTag(): void {
    const link = trimAscii(target)
    if (links.size < most && isLink(link)) links.add(link)
    target = ''
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      isInForeignContext: () => CONTEXTS[contexts.at(-1) ?? ''] === 'foreign',
      onopentagname(start, end) {
        tag = nameAt(start, end)
        if (tag === 'template') templates++
        else if (tag in CONTEXTS) contexts.push(tag)
        wanted = templates === 0 ? LINK_ATTRIBUTES[tag] : undefined
        target = ''
      },
      onattribname(start, end) {
        isReading = wanted !== undefined && nameAt(start, end) === wanted
        value = ''
      },
      onattribdata(start, end) {
        if (isReading) value += html.slice(start, end)
      },
      onattribentity(codePoint) {
        if (isReading) value += String.fromCodePoint(codePoint)
      },
      onattribend() {
        if (!isReading) return
        target = value
        // Of two attributes with one name the first counts.
        wanted = undefined
        isReading = false
      },
      onopentagend: endTag,
      onselfclosingtag() {
        endTag()
        if (tag in CONTEXTS) leave(tag)
      },
      onclosetag: (start, end) => leave(nameAt(start, end)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return [...links]
}

function ignore(): void {
  // Only tags hold links.
}

// A pattern for white space at the end would try every run of it anew.
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
