// Git's index, read as far as it takes to see which files of a folder are in git: https://git-scm.com/docs/index-format
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** A larger index is left alone: what is looked for is a mishap of small projects. */
const LARGEST_INDEX_BYTES = 50_000_000

const HEADER_BYTES = 12
const ENTRY_BYTES = 62
const EXTENDED_FLAG = 0x4000

/**
 * Files under `folder` (relative to `root`, ending in `/`) that git tracks; none where there is no repository around
 * `root`, or its index cannot be read cheaply.
 */
export function listTracked(root: string, folder: string): string[] {
  const repository = findRepository(root)
  if (repository === undefined) return []
  const above = relative(repository, root).split(sep).join('/')
  const prefix = above === '' ? folder : `${above}/${folder}`
  try {
    const file = join(repository, '.git', 'index')
    if (statSync(file).size > LARGEST_INDEX_BYTES) return []
    const tracked = readPaths(readFileSync(file)).filter((path) => path.startsWith(prefix))
    return tracked.map((path) => path.slice(prefix.length - folder.length))
  } catch {
    // A worktree, no commit yet, or a damaged index: git says more about that than we could.
    return []
  }
}

function findRepository(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/** Versions 2 and 3; version 4 shortens its paths and is left alone. */
function readPaths(index: Buffer): string[] {
  const version = index.readUInt32BE(4)
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 3) return []
  const paths: string[] = []
  let at = HEADER_BYTES
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const isExtended = (index.readUInt16BE(at + ENTRY_BYTES - 2) & EXTENDED_FLAG) !== 0
    const start = at + ENTRY_BYTES + (isExtended ? 2 : 0)
    const end = index.indexOf(0, start)
    paths.push(index.toString('utf8', start, end))
    // One to eight zero bytes follow, up to a multiple of eight.
    at += Math.ceil((end - at + 1) / 8) * 8
  }
  return paths
}
