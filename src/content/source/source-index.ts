import { posix } from 'node:path'
import { groupBy } from '../../core/group-by.ts'
import { isSimilar, nearest, onlyMeant } from '../../core/nearest.ts'
import { memoize } from '../../core/memoize.ts'

/** Answers questions about all sources. A project may have as many broken links as files, and each needs an answer. */
export type SourceIndex = ReturnType<typeof createSourceIndex>

interface Folder {
  readonly names: readonly string[]
  readonly files: { readonly name: string; readonly source: string; readonly at: number }[]
}

/** @param sources in Unicode NFC, with `/` */
export function createSourceIndex(sources: Iterable<string>) {
  const all: readonly string[] = [...sources]
  const folders = byFolder(all)
  const holding = withParents(folders.keys())
  // Only hints and fixes need them.
  const by = memoize((of: 'dirname' | 'basename') => groupBy(all, (path) => posix[of](path.toLowerCase())))
  const alikeFolders = createFindAlike([...folders.values()])
  return {
    all,
    /** True if a folder contains a source. */
    holds: (folder: string) => holding.has(folder.normalize('NFC').replace(/^\.?\/?$|\/$/, '')),
    /**
     * Returns the source that a path with a typo most likely means, or undefined. Compares folders with folders and names
     * with names, because the common start or end of all paths says nothing about their similarity.
     */
    nearest: (wanted: string) => {
      const { dir, name } = posix.parse(wanted)
      const alike = alikeFolders(dir)
        .flatMap(({ files }) => files.filter((file) => isSimilar(name, file.name)))
        .toSorted((a, b) => a.at - b.at)
        .map(({ source }) => source)
      return alike.length > 1 ? (nearest(wanted, alike) ?? alike[0]) : alike[0]
    },
    /** Like `onlyMeant`, among the sources in the same folder and those of the same name. */
    onlyMeant: (wanted: string) => {
      const lower = wanted.toLowerCase()
      // Only one part of the path differs: the name, or a folder.
      const near = [
        ...(by('dirname').get(posix.dirname(lower)) ?? []),
        ...(by('basename').get(posix.basename(lower)) ?? []),
      ]
      return onlyMeant(wanted, [...new Set(near)])
    },
  }
}

/** Cached, because broken links often lead to the same few folders. */
function createFindAlike(folders: readonly Folder[]): (folder: string) => readonly Folder[] {
  return memoize((folder) => {
    const names = namesOf(folder)
    return folders.filter((each) => areAlike(names, each.names))
  })
}

function byFolder(sources: readonly string[]): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>()
  for (const [at, source] of sources.entries()) {
    const { dir, name } = posix.parse(source)
    const folder = folders.get(dir) ?? { names: namesOf(dir), files: [] }
    folder.files.push({ name, source, at })
    folders.set(dir, folder)
  }
  return folders
}

function namesOf(folder: string): string[] {
  return folder === '' ? [] : folder.split('/')
}

function withParents(folders: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (let folder of folders)
    for (; !found.has(folder); folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
      found.add(folder)
  return found
}

function areAlike(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, index) => isSimilar(name, others[index] ?? ''))
}
