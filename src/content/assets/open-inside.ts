// Only files in the content folder, and in folders of the site that the project names, may get into an article, even
// through links. A checked path may lead elsewhere a moment later, so the file is opened first, and then the path of
// the opened file is checked.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  readSync,
} from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../core/errors/kb-error.ts'
import { isHidden } from '../../core/dialects/site-folders.ts'
import { isInside, relativePath, statIfThere } from '../../core/paths.ts'
import { createDigest, DIGEST_LENGTH } from '../../core/digest.ts'

export type OpenedInside =
  /** The caller must close it. */
  | { readonly kind: 'opened'; readonly descriptor: number; readonly size: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  /** Hidden files: if the content folder is the project folder, they contain keys, histories and caches. */
  | { readonly kind: 'hidden' }
  /** A folder, a pipe or a device. */
  | { readonly kind: 'no-file' }
  | { readonly kind: 'unreadable'; readonly reason: string }

// Opening a pipe without a writer would block. (Windows has neither such pipes nor the flag.)
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a regular file that is not hidden and, with links resolved, is in the content folder. A source such as
 * `../static/logo.png`, which no link of an author can name, is in a folder of the site.
 */
export function openInside(contentRoot: string, source: string): OpenedInside {
  const [beside = ''] = /^(?:\.\.\/)+[^/]+/.exec(source) ?? []
  return openBelow(join(contentRoot, beside), source.slice(beside === '' ? 0 : beside.length + 1))
}

function openBelow(root: string, path: string): OpenedInside {
  if (isHidden(path)) return { kind: 'hidden' }
  const file = join(root, path)
  // Also checked before opening, because opening a device may have side effects.
  const stats = statIfThere(file)
  if (stats === undefined) return { kind: 'missing' }
  if (!stats.isFile()) return { kind: 'no-file' }
  let descriptor: number
  try {
    descriptor = openSync(file, FLAGS)
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) }
  }
  const opened = judgeOpened(root, file, descriptor)
  if (opened.kind !== 'opened') closeSync(descriptor)
  return opened
}

/** Decides whether the file opened as `file` may be read. Does not close the descriptor. */
export function judgeOpened(contentRoot: string, file: string, descriptor: number): OpenedInside {
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return { kind: 'no-file' }
    const place = placeOf(descriptor, file)
    const root = realpathSync(contentRoot)
    if (place === undefined || !isInside(root, place)) return { kind: 'outside' }
    if (isHidden(relativePath(root, place))) return { kind: 'hidden' }
    return { kind: 'opened', descriptor, size: stats.size }
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) }
  }
}

/** Returns the real path of the opened file, or undefined if it is unknown. */
function placeOf(descriptor: number, file: string): string | undefined {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // This system has no /proc.
  }
  return placeByIdentity(descriptor, file)
}

/** Returns the real path of `file`, or undefined if the opened file is no longer there. */
export function placeByIdentity(descriptor: number, file: string): string | undefined {
  const place = realpathSync(file)
  const there = lstatSync(place, { bigint: true })
  const opened = fstatSync(descriptor, { bigint: true })
  return there.ino === opened.ino && there.dev === opened.dev ? place : undefined
}

const CHUNK_BYTES = 1 << 20

/** Number of bytes from which the type of a file is detected. */
export const HEAD_BYTES = 64 * 1024

export type OpenedContents = ReturnType<typeof readOpened>

/**
 * Reads an opened file from its start, up to `limitBytes` plus one: more bytes mean that the file has grown. Does not
 * keep large files in memory.
 *
 * @throws errors of the file system
 */
export function readOpened(
  descriptor: number,
  { limitBytes, keepsAll }: { readonly limitBytes: number; readonly keepsAll: boolean },
) {
  const digest = createDigest()
  const kept: Buffer[] = []
  let bytes = 0
  while (bytes <= limitBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, limitBytes + 1 - bytes))
    const count = readSync(descriptor, chunk, 0, chunk.length, bytes)
    if (count === 0) break
    const read = chunk.subarray(0, count)
    digest.update(read)
    if (keepsAll) kept.push(read)
    else if (bytes < HEAD_BYTES) kept.push(read.subarray(0, HEAD_BYTES - bytes))
    bytes += count
  }
  const sha256 = digest.sha256()
  return {
    /** Digest of all bytes. */
    hash: sha256.slice(0, DIGEST_LENGTH),
    /** Complete SHA-256 of all bytes, which starts with `hash`. */
    sha256,
    bytes,
    /** All bytes if requested, otherwise the first ones. */
    kept: Buffer.concat(kept),
  }
}

/** Returns the digest of each asset by source; '' for one that cannot or must not be read. */
export function hashAssets(contentRoot: string, sources: readonly string[]): Map<string, string> {
  return new Map(sources.map((source) => [source, hashAsset(contentRoot, source)]))
}

function hashAsset(contentRoot: string, source: string): string {
  const opened = openInside(contentRoot, source)
  if (opened.kind !== 'opened') return ''
  try {
    return readOpened(opened.descriptor, { limitBytes: opened.size, keepsAll: false }).hash
  } catch {
    return ''
  } finally {
    closeSync(opened.descriptor)
  }
}
