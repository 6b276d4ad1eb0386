import { statSync } from 'node:fs'

/** Follows links; false where there is nothing. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
