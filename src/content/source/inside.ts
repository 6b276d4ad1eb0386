import { realpathSync, type Stats, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/** True if `path` (absolute) is `folder` or inside it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** True if the file at `source`, symbolic links followed, exists in the content folder. */
export function leadsInside(contentRoot: string, source: string): boolean {
  try {
    return isInside(realpathSync(contentRoot), realpathSync(join(contentRoot, source)))
  } catch {
    return false
  }
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

/** True if a part of a path with `/` begins with a dot: nothing in such a folder is an article. */
export function isHidden(source: string): boolean {
  return source.split('/').some((name) => name.startsWith('.'))
}
