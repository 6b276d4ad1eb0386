import { realpathSync, type Stats, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/** Whether `path` (absolute) is `folder` or lies below it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Whether what stands at `source`, symbolic links followed, is there and lies below the content root. */
export function leadsInside(contentRoot: string, source: string): boolean {
  try {
    return isInside(realpathSync(contentRoot), realpathSync(join(contentRoot, source)))
  } catch {
    return false
  }
}

/** The stats of a path, links followed; undefined where nothing can be there: whatever it says, it is no bug in kb-sync. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A file in the place of a folder, a name too long or with a U+0000, a symbolic link to itself.
    return undefined
  }
}

/** Whether a name in a path with `/` begins with a dot: nothing below such a one is read for an article. */
export function isHidden(source: string): boolean {
  return source.split('/').some((name) => name.startsWith('.'))
}
