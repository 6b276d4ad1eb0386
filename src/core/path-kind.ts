import { statSync } from 'node:fs'

type PathKind = 'missing' | 'file' | 'folder' | 'other' | 'unreadable'

/** What stands at a path, links followed; `other` is a device or the like. */
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
