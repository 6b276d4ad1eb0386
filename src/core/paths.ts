import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { tryTo } from './try-to.ts'

/** The path from a folder to `path`, with `/` on every platform; '' if both are the same. */
export function relativePath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/')
}

/** A path in front of others, with a slash at its end; '' stays ''. */
export function asPrefix(path: string): string {
  return path === '' ? '' : `${path}/`
}

/** The form of a name in which a file system compares that ignores case and the encoding of accents. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** True if `path` (absolute) is `folder` or inside it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** True if the file at `source`, symbolic links followed, exists in the content folder. */
export function leadsInside(contentRoot: string, source: string): boolean {
  return tryTo(() => isInside(realpathSync(contentRoot), realpathSync(join(contentRoot, source))), false)
}

/** The stats of a path, links followed; undefined if nothing can exist there. Such errors are not bugs in kb-sync. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A file instead of a folder, a name that is too long or contains U+0000, or a symbolic link to itself.
    return undefined
  }
}

/** The stats of a path, links not followed; undefined if nothing can exist there, as with `statIfThere`. */
export function entryIfThere(path: string): Stats | undefined {
  return tryTo(() => lstatSync(path, { throwIfNoEntry: false }))
}

/** The path, or the nearest one above it that exists; a link counts, wherever it leads. */
export function nearestExisting(path: string): string {
  return entryIfThere(path) === undefined ? nearestExisting(dirname(path)) : path
}

/** The path with its symbolic links followed; undefined if nothing exists there. */
export function realPathIfThere(path: string): string | undefined {
  return tryTo(() => realpathSync(path))
}

/** The path with its symbolic links followed, as far as it exists. */
export function realPath(path: string): string {
  const above = dirname(path)
  return realPathIfThere(path) ?? (above === path ? path : join(realPath(above), basename(path)))
}

/** True if a part of a path with `/` begins with a dot: nothing in such a folder is an article. */
export function isHidden(source: string): boolean {
  return source.split('/').some((name) => name.startsWith('.'))
}

type PathKind = 'missing' | 'file' | 'folder' | 'other' | 'unreadable'

/** The kind of a path, following links; `other` is a device, a socket or the like. */
export function pathKind(path: string): PathKind {
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

/** The entries of a folder; empty if it cannot be read, since it may have been deleted. */
export function entriesOf(folder: string): Dirent[] {
  return tryTo(() => readdirSync(folder, { withFileTypes: true }), [])
}
