import { type Dirent, readdirSync, statSync } from 'node:fs'

/** Follows links; false where there is nothing. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Empty for a folder that cannot be read; it may be gone by now. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
