import { posix } from 'node:path'
import { sitePrefix } from '../../content/site-links/link-candidates.ts'
import { splitAddress, decodeAddress } from '../../content/source/link-address.ts'
import { decodeAttribute, decodeMarkdown } from '../../content/link-occurrences/decode-written-url.ts'
import type { LinkOccurrence } from '../../content/link-occurrences/link-occurrence.ts'
import type { FileTree } from './file-tree.ts'
import { type MoveTarget, resolveOccurrence } from './resolve-occurrence.ts'

/** A link in the file `from`, among the files of `tree`. */
interface LinkInFile {
  readonly occurrence: LinkOccurrence
  readonly from: string
  readonly tree: FileTree
}

/**
 * Returns the text for a link that leads to `target` in the author's style: root-relative or relative to the file, with
 * `./`, to a folder or to its page. Returns undefined if no text does.
 */
export function respellAddress(link: LinkInFile, target: MoveTarget): string | undefined {
  for (const path of candidates(link, target)) {
    for (const how of ['habit', 'encoded'] as const) {
      const written = spellPath(path, link.occurrence, how)
      if (isSame(targetOf(written, link), target)) return written
    }
  }
  return undefined
}

function candidates(link: LinkInFile, target: MoveTarget): string[] {
  return target.kind === 'folder'
    ? folderAddresses(link, target.path)
    : [...siteAddresses(link, target), ...pathsTo(link, target)]
}

/** Returns URLs of a folder: root-relative, from the content folder, from the file, and from its page. */
function folderAddresses({ occurrence, from, tree: { site } }: LinkInFile, folder: string): string[] {
  const { path } = splitAddress(occurrence.url)
  const root = (site && sitePrefix(path, site)) ?? ''
  const beside = relativePath(posix.dirname(from), folder)
  const page = `../${beside === '.' ? '' : beside}`.replace(/\/$/, '')
  // The URL with the most similar length is closest to the author's style.
  const unlikeness = (way: string): number => Math.abs(partsOf(way) - partsOf(path))
  const free = path.startsWith('.') ? [] : [folder, posix.basename(folder)]
  const relative = [beside, page, ...free].toSorted((a, b) => unlikeness(a) - unlikeness(b))
  const ways = path.startsWith('/') ? [`${root}/${folder}`] : [...relative, `/${folder}`]
  return ways.map((way) => `${way}${path.endsWith('/') ? '/' : ''}`)
}

function partsOf(path: string): number {
  return path.split('/').filter((part) => part !== '' && part !== '.').length
}

function pathsTo({ occurrence, from }: LinkInFile, target: Exclude<MoveTarget, { kind: 'folder' }>) {
  const path = target.kind === 'file' ? target.source : target.path
  const file = occurrence.url.startsWith('/')
    ? [`/${path}`, relativePath(posix.dirname(from), path)]
    : [relativePath(posix.dirname(from), path)]
  if (target.kind !== 'file' || !target.isFolder) return file
  const slash = /\/(?:[?#]|$)/.test(occurrence.url) ? '/' : ''
  return [`${relativePath(posix.dirname(from), posix.dirname(path))}${slash}`, ...file]
}

/** Returns URLs in a tool's site, if the author wrote one: without extension, with that of the page, or of a folder. */
function siteAddresses({ occurrence, from, tree }: LinkInFile, target: MoveTarget) {
  if (tree.site === undefined || target.kind !== 'file') return []
  const { path } = splitAddress(occurrence.url)
  if (/\.mdx?$/.test(path)) return []
  const root = sitePrefix(path, tree.site) ?? ''
  const bare = target.source.replace(/\.mdx?$/, '')
  const isPage = /(?:^|\/)(?:index|readme)$/i.test(bare)
  const ends = endsOf(path, isPage)
  // Between double brackets, a name is enough.
  const named = occurrence.form === 'comment' && !path.includes('/') ? [posix.basename(bare)] : []
  const addresses = ends.map((end) => {
    const address = end.isFolder ? posix.dirname(bare) : bare
    const shown = path.startsWith('/')
      ? posix.join('/', root, address)
      : relativePath(posix.dirname(from), address)
    return `${shown === '/' ? '' : shown}${end.text}`
  })
  return [...named, ...addresses]
}

function endsOf(path: string, isPage: boolean): { readonly isFolder: boolean; readonly text: string }[] {
  if (path.endsWith('.html')) return [{ isFolder: false, text: '.html' }]
  const slash = path.endsWith('/') ? '/' : ''
  const own = { isFolder: false, text: isPage ? '' : slash }
  const isFolder = isPage && !/(?:^|\/)index$/i.test(path)
  return isFolder ? [{ isFolder, text: slash }, { isFolder, text: '/' }, own] : [own]
}

/** Like posix.relative, but also for paths above their common root. */
function relativePath(folder: string, to: string): string {
  const [base, path] = [folder, to].map((each) =>
    each.split('/').filter((part) => part !== '.' && part !== ''),
  )
  const [ups, downs] = [base ?? [], path ?? []]
  const differs = downs.findIndex((part, index) => part !== ups[index])
  const shared = differs === -1 ? Math.min(ups.length, downs.length) : differs
  const parts = [...ups.slice(shared).map(() => '..'), ...downs.slice(shared)]
  const end = to.endsWith('/') && parts.length > 0 ? '/' : ''
  return parts.length === 0 ? '.' : `${parts.join('/')}${end}`
}

/** Returns the target of a link with another text; undefined if it could not be written like that. */
function targetOf(written: string, { occurrence, from, tree }: LinkInFile): MoveTarget | undefined {
  const { form, kind } = occurrence
  if (form === 'comment') {
    if (written !== written.trim() || /-->|[\r\n]/.test(written)) return undefined
    return resolveOccurrence({ form, kind, url: written }, from, tree)
  }
  const url =
    form === 'bare' || form === 'angle' ? decodeMarkdown(written) : decodeAttribute(withoutQuotes(written))
  if (splitAddress(url).suffix !== splitAddress(occurrence.url).suffix) return undefined
  return resolveOccurrence({ form, kind, url }, from, tree)
}

function withoutQuotes(written: string): string {
  return written.replace(/^"(.*)"$/, '$1')
}

/** Returns true if two URLs lead to the same file. */
export function isSame(a: MoveTarget | undefined, b: MoveTarget | undefined): boolean {
  return a !== undefined && b !== undefined && targetKey(a) === targetKey(b)
}

function targetKey(target: MoveTarget): string {
  if (target.kind === 'folder') return `folder ${target.isAddress} ${target.path.normalize('NFC')}`
  const path = target.kind === 'file' ? target.source : target.path.replace(/\/$/, '')
  return `${target.kind} ${path.normalize('NFC')}`
}

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
