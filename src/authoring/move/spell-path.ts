import { decodeAddress, splitAddress } from '../../content/source/link-address.ts'
import { decodeAttribute, decodeMarkdown } from '../../content/link-occurrences/decode-written-url.ts'
import type { LinkOccurrence } from '../../content/link-occurrences/link-occurrence.ts'

type Old = Pick<LinkOccurrence, 'form' | 'isListed' | 'url' | 'written'>

/**
 * Returns the text for `path` instead of an old URL, with the old query and fragment, in the author's style: common
 * parts of the path keep their spelling, and other parts are percent-encoded if the old path was.
 *
 * @param path relative to the file or root-relative, with `/`, not encoded
 * @param how `habit`, or `encoded` if that is not read correctly
 */
export function spellPath(path: string, old: Old, how: 'habit' | 'encoded'): string {
  const { head, tail } = cutAddress(old)
  const known = how === 'habit' ? spellingsIn(head) : new Map<string, string>()
  const isEncoded = how === 'encoded' || decodeAddress(head) !== head
  const spell = (segment: string): string =>
    known.get(segment.normalize('NFC')) ??
    (isEncoded ? encodeSegment(segment, old) : escapeSegment(segment, old))
  const spelled = path.split('/').map(spell).join('/')
  return quoted(`${withoutScheme(keepDot(spelled, head, old))}${tail}`, old)
}

/** Markdown parsers disagree about a slash in an unquoted value, so quotes are added. */
function quoted(spelled: string, { form, written }: Old): string {
  const needsQuotes = form === 'unquoted' && spelled.includes('/') && !written.includes('/')
  return needsQuotes ? `"${spelled}"` : spelled
}

/** Returns the spelling of each part of the path, by its decoded form. Parts with escapes are written again. */
function spellingsIn(head: string): Map<string, string> {
  const parts = head.split('/').filter((part) => part !== '' && !/[\\&]/.test(part))
  return new Map(parts.map((part) => [decodeAddress(part).normalize('NFC'), part]))
}

function keepDot(spelled: string, head: string, { form }: Old): string {
  // An imported path starts with a dot: otherwise it would be the name of a package.
  const begins = form === 'comment' ? /^\.{1,2}\// : /^\.\//
  return begins.test(head) && !/^\.{0,2}\//.test(spelled) && spelled !== '..' && spelled !== '.'
    ? `./${spelled}`
    : spelled
}

function withoutScheme(spelled: string): string {
  return /^[^/]*:/.test(spelled) ? `./${spelled}` : spelled
}

function cutAddress({ written, url, form }: Pick<LinkOccurrence, 'written' | 'url' | 'form'>) {
  const { suffix } = splitAddress(url)
  if (form === 'comment' || suffix === '') return { head: written, tail: '' }
  const decode = form === 'bare' || form === 'angle' ? decodeMarkdown : decodeAttribute
  const cuts = [...written.matchAll(/\\?[?#]|&/g)].map(({ index }) => index)
  const cut = cuts.find((at) => decode(written.slice(at)) === suffix)
  return cut === undefined
    ? { head: written, tail: withReferences(suffix) }
    : { head: written.slice(0, cut), tail: written.slice(cut) }
}

/** Writes each special character as a numeric reference, which Markdown and HTML read alike. */
function withReferences(suffix: string): string {
  return suffix.replaceAll(/[^\w.~/?#=%:@-]/gu, (char) => `&#${char.codePointAt(0)};`)
}

type Written = Pick<LinkOccurrence, 'form' | 'isListed'>

// Characters that end a path or are decoded, in every URL. (The path of an included file is written unchanged.)
const ALWAYS = '%?#\\'
// `|` ends a table cell, `&` may start a character reference, a backtick may end a code span.
const SPECIAL: Readonly<Record<LinkOccurrence['form'], string>> = {
  bare: '&|`<>()[]',
  angle: '&|`<>',
  'double-quoted': '&|`<>"',
  'single-quoted': "&|`<>'",
  unquoted: '&|`<>"\'=',
  comment: '',
}
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/

/** Percent-encodes a part of a path between two slashes as far as necessary. */
function escapeSegment(segment: string, occurrence: Written): string {
  if (occurrence.form === 'comment') return segment
  const special = ALWAYS + SPECIAL[occurrence.form] + (occurrence.isListed ? ',' : '')
  const isDivided = occurrence.form === 'bare' || occurrence.form === 'unquoted' || occurrence.isListed
  return Array.from(segment)
    .map((char, index, all) => {
      const isSpace = /\s/.test(char) && (isDivided || index === 0 || index === all.length - 1)
      return special.includes(char) || isSpace || CONTROL.test(char) ? encode(char) : char
    })
    .join('')
}

/** Encodes everything except ASCII letters and digits, as browsers do. */
function encodeSegment(segment: string, occurrence: Written): string {
  if (occurrence.form === 'comment') return segment
  return Array.from(segment, (char) => (/[\w.~!$*+;:@-]/.test(char) ? char : encode(char))).join('')
}

function encode(char: string): string {
  const bytes = Buffer.from(char, 'utf8')
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
