import { posix } from 'node:path'
import { findTarget } from '../../content/links/find-target.ts'
import { toHref } from '../../content/link-occurrences/decode-written-url.ts'
import type { LinkOccurrence } from '../../content/link-occurrences/link-occurrence.ts'
import { screenUrl } from '../../content/markdown/screen-url.ts'
import { splitAddress } from '../../content/source/link-address.ts'
import type { FileTree, MoveFolder } from './file-tree.ts'

export type MoveTarget =
  /** `isFolder`: the URL names the folder whose page is the file. */
  | { readonly kind: 'file'; readonly source: string; readonly isFolder: boolean }
  /** The page that a tool creates for a folder. `isAddress`: the link is a URL, not a path. */
  | { readonly kind: 'folder'; readonly path: string; readonly isAddress: boolean }
  /** A path without a file. It may be outside the content folder. */
  | { readonly kind: 'nothing'; readonly path: string }

/** Returns the target of a URL in the file `from`, or undefined for absolute URLs and fragments. */
export function resolveOccurrence(
  { kind, form, url }: Pick<LinkOccurrence, 'kind' | 'form' | 'url'>,
  from: string,
  tree: FileTree,
): MoveTarget | undefined {
  if (kind === 'include') return fileOrNothing(pathFrom(from, url), tree)
  const use = kind === 'image' ? 'image' : 'link'
  if (screenUrl(url, use === 'image' ? 'resource' : 'link').kind !== 'slot') return undefined
  const written = form === 'bare' || form === 'angle' ? toHref(url) : url
  const target = findTarget({ kind: use, url: written }, tree.originOf(from), tree.linkFiles)
  const { path } = splitAddress(written)
  switch (target.kind) {
    case 'article':
      return { kind: 'file', source: tree.find(target.source) ?? target.source, isFolder: target.isFolder }
    case 'asset':
    case 'file':
    case 'missing':
      return fileOrNothing(target.source, tree)
    case 'folder': {
      // All folders come from the tree.
      const { category, file, isAddress } = target.folder as MoveFolder
      return file === undefined
        ? { kind: 'folder', path: category, isAddress }
        : { kind: 'file', source: file, isFolder: false }
    }
    case 'site':
    case 'unknown':
      // A root-relative link of the site is valid in every file.
      return /^(?:\/|@site\/|$)/.test(path) ? undefined : fileOrNothing(pathFrom(from, path), tree)
    case 'taxonomy':
    case 'outside':
    case 'hook':
      return fileOrNothing(pathFrom(from, path), tree)
  }
}

function fileOrNothing(path: string, tree: FileTree): MoveTarget {
  const source = tree.find(path)
  return source === undefined ? { kind: 'nothing', path } : { kind: 'file', source, isFolder: false }
}

function pathFrom(from: string, path: string): string {
  return path.startsWith('/') ? posix.normalize(path.slice(1)) : posix.join(posix.dirname(from), path)
}
