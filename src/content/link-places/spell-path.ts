import { decodeAddress } from '../link-address.ts'
import { cutAddress } from './cut-address.ts'
import { encodeSegment, escapeSegment } from './escape-path.ts'
import type { LinkPlace } from './link-place.ts'

type Old = Pick<LinkPlace, 'form' | 'isListed' | 'url' | 'written'>

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

/** How each part of the path is written, by what it means; parts with escapes are better spelled anew. */
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

/** What stands before a colon would be read as a scheme. */
function withoutScheme(spelled: string): string {
  return /^[^/]*:/.test(spelled) ? `./${spelled}` : spelled
}
