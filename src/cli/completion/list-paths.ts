import { type Dirent, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Candidate } from './candidate.ts'

/**
 * The entries of the folder in which `word` is a path on its way, written as `word` begins; folders first. Hidden ones
 * only where their dot is written.
 *
 * @param isWanted decides by the absolute path; of folders, too
 */
export function listPaths(
  word: string,
  cwd: string,
  isWanted: (path: string, isFolder: boolean) => boolean,
): Candidate[] {
  const behindSlash = word.lastIndexOf('/') + 1
  const prefix = word.slice(0, behindSlash)
  const start = word.slice(behindSlash)
  const folder = resolve(cwd, prefix.startsWith('~/') ? `${homedir()}${prefix.slice(1)}` : prefix)
  return readFolder(folder)
    .map((entry) => ({ name: entry.name, isFolder: leadsToFolder(entry, folder) }))
    .filter(({ name }) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .filter(({ name, isFolder }) => isWanted(resolve(folder, name), isFolder))
    .toSorted((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1))
    .map(({ name, isFolder }) => ({ value: `${prefix}${name}${isFolder ? '/' : ''}`, isPartial: isFolder }))
}

function leadsToFolder(entry: Dirent, folder: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  return statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() === true
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
