import { type Dirent, readdirSync, statSync } from 'node:fs'

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
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
