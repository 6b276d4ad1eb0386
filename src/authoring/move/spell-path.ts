import { decodeAddress, splitAddress } from '../../content/source/link-address.ts'
import { decodeAttribute, decodeMarkdown } from '../../content/link-occurrences/decode-address.ts'
import type { LinkOccurrence } from '../../content/link-occurrences/link-occurrence.ts'

type Old = Pick<LinkOccurrence, 'form' | 'isListed' | 'url' | 'written'>

/**
 * The text that leads to `path` in the place of an address, its query and fragment as they were; in the author's habits:
 * parts of the path that both have are spelled as before, and others percent-encoded if the old path was.
 *
 * @param path relative to the file or from the root, with `/`, not encoded
 * @param how `habit`, or `encoded` where that does not read as it should
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

/** Readers of Markdown differ about a slash in a value without quotes: it gets some. */
function quoted(spelled: string, { form, written }: Old): string {
  const needsQuotes = form === 'unquoted' && spelled.includes('/') && !written.includes('/')
  return needsQuotes ? `"${spelled}"` : spelled
}

/** How each part of the path is written, by what it means; parts with escapes are better spelled again. */
function spellingsIn(head: string): Map<string, string> {
  const parts = head.split('/').filter((part) => part !== '' && !/[\\&]/.test(part))
  return new Map(parts.map((part) => [decodeAddress(part).normalize('NFC'), part]))
}

function keepDot(spelled: string, head: string, { form }: Old): string {
  // A path that is imported begins with a dot: without one it names a package.
  const begins = form === 'comment' ? /^\.{1,2}\// : /^\.\//
  return begins.test(head) && !/^\.{0,2}\//.test(spelled) && spelled !== '..' && spelled !== '.'
    ? `./${spelled}`
    : spelled
}

function withoutScheme(spelled: string): string {
  return /^[^/]*:/.test(spelled) ? `./${spelled}` : spelled
}

/** An address as written, in two parts that mean the path, and its query and fragment. */
interface CutAddress {
  readonly head: string
  readonly tail: string
}

function cutAddress({ written, url, form }: Pick<LinkOccurrence, 'written' | 'url' | 'form'>): CutAddress {
  const { suffix } = splitAddress(url)
  if (form === 'comment' || suffix === '') return { head: written, tail: '' }
  const decode = form === 'bare' || form === 'angle' ? decodeMarkdown : decodeAttribute
  const cuts = [...written.matchAll(/\\?[?#]|&/g)].map(({ index }) => index)
  const cut = cuts.find((at) => decode(written.slice(at)) === suffix)
  return cut === undefined
    ? { head: written, tail: withReferences(suffix) }
    : { head: written.slice(0, cut), tail: written.slice(cut) }
}

/** Every character that could mean something here as a numeric reference, which Markdown and HTML read alike. */
function withReferences(suffix: string): string {
  return suffix.replaceAll(/[^\w.~/?#=%:@-]/gu, (char) => `&#${char.codePointAt(0)};`)
}

type Written = Pick<LinkOccurrence, 'form' | 'isListed'>

// What ends a path, or would be decoded: in every address. (A file to be included is named as it is.)
const ALWAYS = '%?#\\'
// `|` ends a cell of a table, `&` may begin a character reference, a backtick may end a piece of code.
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

/** One part of a path (what stands between two slashes), percent-encoded where it must be to stand in such a place. */
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

/** The same, with everything encoded that is no plain letter or digit of ASCII, as browsers write addresses. */
function encodeSegment(segment: string, occurrence: Written): string {
  if (occurrence.form === 'comment') return segment
  return Array.from(segment, (char) => (/[\w.~!$*+;:@-]/.test(char) ? char : encode(char))).join('')
}

function encode(char: string): string {
  const bytes = Buffer.from(char, 'utf8')
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
