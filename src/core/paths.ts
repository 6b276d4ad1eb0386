import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { tryTo } from './try-to.ts'

/** Returns the path from `folder` to `path`, with `/` on every platform; '' if they are the same. */
export function relativePath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/')
}

/** Adds a trailing slash to a path that is put before others; '' stays ''. */
export function asPrefix(path: string): string {
  return path === '' ? '' : `${path}/`
}

/** The content folder in diagnostics, with a slash at its end; '' if it is the project folder. */
export function contentPrefix(settings: { readonly root: string; readonly contentRoot: string }): string {
  return asPrefix(relativePath(settings.root, settings.contentRoot))
}

/** Normalises a name as a file system compares it that ignores case and Unicode forms. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** Returns true if `path` is `folder` or inside it. Both are absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Returns true if the file at `source`, with symbolic links followed, exists in the content folder. */
export function leadsInside(contentRoot: string, source: string): boolean {
  return tryTo(() => isInside(realpathSync(contentRoot), realpathSync(join(contentRoot, source))), false)
}

/** Returns the stats of a path, following links; undefined if nothing can exist there. That is not a bug. */
export function statIfThere(path: string): Stats | undefined {
  // It throws if a parent is a file, the name is too long or contains U+0000, or a symbolic link leads to itself.
  return tryTo(() => statSync(path, { throwIfNoEntry: false }))
}

/** Returns the stats of a path without following links; undefined if nothing can exist there, as in `statIfThere`. */
export function entryIfThere(path: string): Stats | undefined {
  return tryTo(() => lstatSync(path, { throwIfNoEntry: false }))
}

/** Returns the path, or the nearest existing one above it. A link exists even if its target does not. */
export function nearestExisting(path: string): string {
  return entryIfThere(path) === undefined ? nearestExisting(dirname(path)) : path
}

/** Resolves symbolic links in a path; undefined if nothing exists there. */
export function realPathIfThere(path: string): string | undefined {
  return tryTo(() => realpathSync(path))
}

/** Resolves symbolic links in the existing part of a path. */
export function realPath(path: string): string {
  const above = dirname(path)
  return realPathIfThere(path) ?? (above === path ? path : join(realPath(above), basename(path)))
}

/** True for `.`, `..` and what starts with them, which are relative to the current folder and to no other. */
export function isDotted(path: string): boolean {
  return /^\.\.?(?:[/\\]|$)/.test(path)
}

/** Returns the kind of a path, following links; `other` is a device, a socket or the like. */
export function pathKind(path: string): 'missing' | 'file' | 'folder' | 'other' | 'unreadable' {
  try {
    const present = statSync(path, { throwIfNoEntry: false })
    if (present === undefined) return 'missing'
    if (present.isFile()) return 'file'
    return present.isDirectory() ? 'folder' : 'other'
  } catch {
    return 'unreadable'
  }
}

/** Follows links; false if the path does not exist. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Returns the entries of a folder; an empty list if it cannot be read, since it may have been deleted. */
export function entriesOf(folder: string): Dirent[] {
  return tryTo(() => readdirSync(folder, { withFileTypes: true }), [])
}
