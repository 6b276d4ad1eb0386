import { posix } from 'node:path'
import type { Problem } from '../model/diagnostic.ts'
import type { Document } from '../model/document.ts'
import { nearest } from '../util/nearest.ts'
import { type AnchorIndex, decodeFragment, encodeAnchor } from './markdown/anchors.ts'
import type { Slot } from './markdown/rendered-body.ts'
import { readAsset } from './read-asset.ts'

/** All that a link may be resolved against. */
export interface LinkContext {
  readonly contentRoot: string
  readonly inlineUnderBytes: number
  /** By source in Unicode NFC. */
  readonly documents: ReadonlyMap<string, Document>
  /** Articles (by source in Unicode NFC) that have errors of their own: a link to one is not wrong for that. */
  readonly rejected: ReadonlySet<string>
  readonly urlOf: (document: Document) => string
  readonly anchorsOf: (document: Document) => {
    readonly anchors: readonly string[]
    readonly index: AnchorIndex
  }
  /** Whether a file (by source) exists that is not an article. */
  readonly isOtherFile: (source: string) => boolean
  /** Called with the source and the digest of every image that is read. */
  readonly onAsset: (source: string, hash: string) => void
}

export type ResolvedLink =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'problem'; readonly problem: Problem }

/** Resolves one relative address in the file `source` to the address that is sent. */
export function resolveLink(slot: Slot, source: string, context: LinkContext): ResolvedLink {
  const { path, suffix, fragment } = splitAddress(slot.url)
  // An address from the site's root is the site's own affair, unless it names one of our files.
  if (path.startsWith('/') && !path.endsWith('.md')) return { kind: 'url', url: slot.url }
  if (path === '') return { kind: 'url', url: slot.url }
  const wanted = joinSource(source, path)
  if (wanted === undefined)
    return problem(
      slot,
      'link-outside',
      `"${slot.url}" leaves the content folder.`,
      'Link to files inside it, or by full address.',
    )
  if (slot.kind === 'image') return resolveImage(slot, wanted, context)
  const places = articlePlaces(wanted)
  const target = places.flatMap((place) => context.documents.get(place) ?? [])[0]
  if (target === undefined) {
    return places.some((place) => context.rejected.has(place))
      ? { kind: 'url', url: slot.url }
      : missingFile(slot, source, wanted, context)
  }
  return resolveFragment(slot, { target, suffix, fragment }, context)
}

interface Address {
  readonly path: string
  /** `?query#fragment` as written. */
  readonly suffix: string
  readonly fragment: string | undefined
}

function splitAddress(url: string): Address {
  const cut = url.search(/[?#]/)
  const path = cut === -1 ? url : url.slice(0, cut)
  const suffix = cut === -1 ? '' : url.slice(cut)
  const hash = suffix.indexOf('#')
  return { path: decode(path), suffix, fragment: hash === -1 ? undefined : suffix.slice(hash + 1) }
}

/** Percent-decoded; an address with a stray `%` is taken as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function joinSource(from: string, path: string): string | undefined {
  const joined = path.startsWith('/') ? posix.normalize(path.slice(1)) : posix.join(posix.dirname(from), path)
  return joined === '..' || joined.startsWith('../') ? undefined : joined
}

/** Where the article may be that a source names: a folder stands for its index.md or README.md. */
function articlePlaces(wanted: string): string[] {
  const source = wanted.normalize('NFC')
  const folder = source === '.' || source === './' ? '' : source.replace(/\/?$/, '/')
  return [source, ...FOLDER_PAGES.map((page) => `${folder}${page}`)]
}

const FOLDER_PAGES = ['index.md', 'README.md', 'readme.md']

function resolveImage(slot: Slot, source: string, context: LinkContext): ResolvedLink {
  const asset = readAsset(context.contentRoot, source, context.inlineUnderBytes)
  if (asset.kind === 'read') {
    context.onAsset(asset.source, asset.hash)
    return { kind: 'url', url: asset.url }
  }
  return problem(slot, asset.code, asset.message, asset.hint)
}

function missingFile(slot: Slot, source: string, wanted: string, context: LinkContext): ResolvedLink {
  if (context.isOtherFile(wanted)) {
    const hint = 'Only articles and images travel; put other files on the web and link by full address.'
    return problem(slot, 'link-not-article', `"${slot.url}" is a file but not an article.`, hint)
  }
  if (isFolder(wanted, context)) {
    const hint = 'Link to one of its articles, or give the folder an index.md.'
    return problem(slot, 'link-file-missing', `The folder "${slot.url}" has no index.md or README.md.`, hint)
  }
  const withEnding = `${wanted}.md`.normalize('NFC')
  const meant = context.documents.has(withEnding)
    ? withEnding
    : nearest(wanted, [...context.documents.keys()])
  const hint =
    meant === undefined
      ? wanted.endsWith('.md')
        ? 'The path is relative to this file: correct it, or write that article.'
        : 'Link to an article by its path, relative to this file, and to anything else by its full address.'
      : `Did you mean ${posix.relative(posix.dirname(source), meant)}?`
  return problem(slot, 'link-file-missing', `There is no article "${wanted}".`, hint)
}

/** Whether articles lie below `wanted`. */
function isFolder(wanted: string, { documents }: LinkContext): boolean {
  const folder = wanted === '.' || wanted === './' ? '' : wanted.normalize('NFC').replace(/\/?$/, '/')
  return [...documents.keys()].some((source) => source.startsWith(folder))
}

function resolveFragment(
  slot: Slot,
  { target, suffix, fragment }: { target: Document; suffix: string; fragment: string | undefined },
  context: LinkContext,
): ResolvedLink {
  const url = context.urlOf(target)
  if (fragment === undefined || fragment === '') return { kind: 'url', url: `${url}${suffix}` }
  const { anchors, index } = context.anchorsOf(target)
  const anchor = index.find(fragment)
  if (anchor !== undefined) {
    const query = suffix.slice(0, suffix.indexOf('#'))
    return { kind: 'url', url: `${url}${query}#${encodeAnchor(anchor)}` }
  }
  const meant = nearest(decodeFragment(fragment), anchors)
  const hint =
    meant === undefined ? 'Link to the file, or to one of its headings.' : `Did you mean #${meant}?`
  return problem(slot, 'link-heading-missing', `${target.source} has no heading "#${fragment}".`, hint)
}

function problem(slot: Slot, code: Problem['code'], message: string, hint: string): ResolvedLink {
  return { kind: 'problem', problem: { code, message, hint, line: slot.line, column: slot.column } }
}
