import { posix } from 'node:path'
import { sitePrefix } from '../../content/site-links/link-candidates.ts'
import { splitAddress } from '../../content/source/link-address.ts'
import { decodeAttribute, decodeMarkdown } from '../../content/link-occurrences/decode-written-url.ts'
import type { LinkOccurrence } from '../../content/link-occurrences/link-occurrence.ts'
import { spellPath } from './spell-path.ts'
import type { FileTree } from './file-tree.ts'
import { type MoveTarget, resolveOccurrence } from './resolve-occurrence.ts'

/**
 * Returns the text for the link in the file `from` that leads to `target` in the author's style: root-relative or
 * relative to the file, with `./`, to a folder or to its page. Returns undefined if no text does.
 */
export function respellAddress(
  occurrence: LinkOccurrence,
  from: string,
  target: MoveTarget,
  tree: FileTree,
): string | undefined {
  for (const path of candidates(occurrence, from, target, tree)) {
    for (const how of ['habit', 'encoded'] as const) {
      const written = spellPath(path, occurrence, how)
      if (leadsTo(written, occurrence, from, target, tree)) return written
    }
  }
  return undefined
}

function candidates(occurrence: LinkOccurrence, from: string, target: MoveTarget, tree: FileTree): string[] {
  return target.kind === 'folder'
    ? folderAddresses(occurrence, from, target.path, tree)
    : [...siteAddresses(occurrence, from, target, tree), ...pathsTo(occurrence, from, target)]
}

/** Returns URLs of a folder: root-relative, from the content folder, from the file, and from its page. */
function folderAddresses(occurrence: LinkOccurrence, from: string, folder: string, tree: FileTree): string[] {
  const { site } = tree
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

function pathsTo(occurrence: LinkOccurrence, from: string, target: Exclude<MoveTarget, { kind: 'folder' }>) {
  const path = target.kind === 'file' ? target.source : target.path
  const file = occurrence.url.startsWith('/')
    ? [`/${path}`, relativePath(posix.dirname(from), path)]
    : [relativePath(posix.dirname(from), path)]
  if (target.kind !== 'file' || !target.isFolder) return file
  const slash = /\/(?:[?#]|$)/.test(occurrence.url) ? '/' : ''
  return [`${relativePath(posix.dirname(from), posix.dirname(path))}${slash}`, ...file]
}

/** Returns URLs in a tool's site, if the author wrote one: without extension, with that of the page, or of a folder. */
function siteAddresses(occurrence: LinkOccurrence, from: string, target: MoveTarget, tree: FileTree) {
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

function leadsTo(
  written: string,
  occurrence: LinkOccurrence,
  from: string,
  target: MoveTarget,
  tree: FileTree,
): boolean {
  const { form, kind } = occurrence
  if (form === 'comment') {
    if (written !== written.trim() || /-->|[\r\n]/.test(written)) return false
    return isSame(resolveOccurrence({ form, kind, url: written }, from, tree), target)
  }
  const url =
    form === 'bare' || form === 'angle' ? decodeMarkdown(written) : decodeAttribute(withoutQuotes(written))
  if (splitAddress(url).suffix !== splitAddress(occurrence.url).suffix) return false
  return isSame(resolveOccurrence({ form, kind, url }, from, tree), target)
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
