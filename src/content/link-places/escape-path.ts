import type { LinkPlace } from './link-place.ts'

type Written = Pick<LinkPlace, 'form' | 'isListed'>

// What ends a path, or would be decoded: in every address. (A file to be included is named as it is.)
const ALWAYS = '%?#\\'
// `|` ends a cell of a table, `&` may begin a character reference, a backtick may end a piece of code.
const SPECIAL: Readonly<Record<LinkPlace['form'], string>> = {
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
export function escapeSegment(segment: string, place: Written): string {
  if (place.form === 'comment') return segment
  const special = ALWAYS + SPECIAL[place.form] + (place.isListed ? ',' : '')
  const isDivided = place.form === 'bare' || place.form === 'unquoted' || place.isListed
  return Array.from(segment)
    .map((char, index, all) => {
      const isSpace = /\s/.test(char) && (isDivided || index === 0 || index === all.length - 1)
      return special.includes(char) || isSpace || CONTROL.test(char) ? encode(char) : char
    })
    .join('')
}

/** The same, with everything encoded that is no plain letter or digit of ASCII, as browsers write addresses. */
export function encodeSegment(segment: string, place: Written): string {
  if (place.form === 'comment') return segment
  return Array.from(segment, (char) => (/[\w.~!$*+;:@-]/.test(char) ? char : encode(char))).join('')
}

function encode(char: string): string {
  const bytes = Buffer.from(char, 'utf8')
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
