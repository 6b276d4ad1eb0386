import { posix } from 'node:path'
import { decodeAttribute } from '../../content/link-occurrences/decode-written-url.ts'
import type { PathMove } from './path-move.ts'

const FOLDER_PAGE = /^(?:index|readme)\.[^.]+$/i
/** A path that consists only of dots, such as `..` and `./`: a parent folder, or the current one. */
const DOTS = /(?:\]\(|\]:|[="'<,])\s*<?(\.{1,2}(?:\/\.{1,2})*)\/?(?=[\s)>"'?#,]|$)/gm
const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi

/**
 * Returns a quick test for texts with links that a move may change, because parsing every file of a large project takes
 * long. It has false positives but no false negatives.
 *
 * @param source the file with the text
 * @param isSite true if links may omit the extension
 */
export function createMayName(
  { from, to, isFolder }: PathMove,
  isSite = false,
): (text: string, source: string) => boolean {
  const isPage = !isFolder && [from, to].some((path) => FOLDER_PAGE.test(posix.basename(path)))
  // If the page of a folder moves, links to the folder may lead to another file.
  const paths = isPage ? [from, posix.dirname(from), posix.dirname(to)] : [from]
  const names = paths
    .map((path) => posix.basename(path).normalize('NFC'))
    .filter((name) => name !== '.' && name !== '')
    .flatMap((name) => (isSite ? spellingsOf(name) : [name]))
    .map((name) => name.toLowerCase())
  const folders = new Set([from, to].map((path) => posix.dirname(path).normalize('NFC')))
  return (text, source) => {
    const plain = readably(text)
    const leadsThere = ([, dots = '']: RegExpExecArray) =>
      folders.has(posix.join(posix.dirname(source), dots).replace(/\/$/, '').normalize('NFC'))
    return (
      names.some((name) => hasSegment(plain.toLowerCase(), name)) ||
      (isPage && [...plain.matchAll(DOTS)].some(leadsThere))
    )
  }
}

function spellingsOf(name: string): string[] {
  const bare = name.replace(/\.mdx?$/, '')
  return bare === name ? [name] : [name, bare, `${bare}.html`]
}

function hasSegment(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const after = text.charAt(at + name.length)
    if (BEFORE.test(text.slice(Math.max(at - 2, 0), at)) && (after === '' || AFTER.test(after))) return true
  }
  return false
}

const BEFORE = /(?:^|[\s/(<"'`=,:]|\[\[)$/
const AFTER = /[\s/)>\]|"'`?#,{}-]/

/** Returns the text with all names decoded. */
function readably(text: string): string {
  return text
    .replaceAll('\\', '')
    .replaceAll(REFERENCE, (reference) => decodeAttribute(reference))
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    .normalize('NFC')
}
