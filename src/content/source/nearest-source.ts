import { posix } from 'node:path'
import { nearest } from '../../core/nearest.ts'

/**
 * The file that a path with a typo most likely names, or undefined. Folders are compared with folders and names with
 * names, because the common start or end of all paths says nothing about their similarity.
 */
export function nearestSource(wanted: string, sources: readonly string[]): string | undefined {
  const [folders, name] = partsOf(wanted)
  const alike = sources.filter((source) => {
    const [otherFolders, otherName] = partsOf(source)
    return isAlike(name, otherName) && areAlike(folders, otherFolders)
  })
  return alike.length > 1 ? (nearest(wanted, alike) ?? alike[0]) : alike[0]
}

/** The folders of a path, and its name without extension. */
function partsOf(path: string): readonly [folders: readonly string[], name: string] {
  const { dir, name } = posix.parse(path)
  return [dir === '' ? [] : dir.split('/'), name]
}

function areAlike(folders: readonly string[], others: readonly string[]): boolean {
  return (
    folders.length === others.length && folders.every((folder, index) => isAlike(folder, others[index] ?? ''))
  )
}

function isAlike(word: string, other: string): boolean {
  return word === other || nearest(word, [other]) !== undefined
}
