// Nothing outside the content folder, and the folders of the site beside it that the project names, may get into an
// article, whatever links lie in between. A path that was checked
// may lead elsewhere a moment later, so the file is opened first, and what was opened is asked where it lies.
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
import { join, relative, sep } from 'node:path'
import { reasonOf } from '../../core/errors/kb-error.ts'
import { isHidden, isInside, statIfThere } from '../source/inside.ts'
import { createDigest } from '../../core/digest.ts'

export type OpenedInside =
  /** To be closed by the caller. */
  | { readonly kind: 'opened'; readonly descriptor: number; readonly size: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  /** Where the content folder is the project, hidden files hold keys, histories and caches. */
  | { readonly kind: 'hidden' }
  /** A folder, a pipe, a device. */
  | { readonly kind: 'no-file' }
  | { readonly kind: 'unreadable'; readonly reason: string }

// A pipe that no one writes to would keep us waiting. (Windows has neither the pipe nor the flag.)
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a regular file that lies in the content folder, links resolved, and is not hidden. A source such as
 * `../static/logo.png`, which no link of an author can give, names a folder of the site: then the file lies in that one.
 */
export function openInside(contentRoot: string, source: string): OpenedInside {
  const [beside = ''] = /^(?:\.\.\/)+[^/]+/.exec(source) ?? []
  return openBelow(join(contentRoot, beside), source.slice(beside === '' ? 0 : beside.length + 1))
}

function openBelow(root: string, path: string): OpenedInside {
  if (isHidden(path)) return { kind: 'hidden' }
  const file = join(root, path)
  // Checked before as well: opening a device may already do something.
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

/** What was opened under the name `file`, as far as it may be read. The descriptor stays open. */
export function judgeOpened(contentRoot: string, file: string, descriptor: number): OpenedInside {
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return { kind: 'no-file' }
    const place = placeOf(descriptor, file)
    const root = realpathSync(contentRoot)
    if (place === undefined || !isInside(root, place)) return { kind: 'outside' }
    if (isHidden(relative(root, place).split(sep).join('/'))) return { kind: 'hidden' }
    return { kind: 'opened', descriptor, size: stats.size }
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) }
  }
}

/** Where the opened file really lies; undefined where that cannot be said. */
function placeOf(descriptor: number, file: string): string | undefined {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // No /proc here.
  }
  return placeByIdentity(descriptor, file)
}

/** The real path of `file`, as long as the opened file still lies there. */
export function placeByIdentity(descriptor: number, file: string): string | undefined {
  const place = realpathSync(file)
  const there = lstatSync(place, { bigint: true })
  const opened = fstatSync(descriptor, { bigint: true })
  return there.ino === opened.ino && there.dev === opened.dev ? place : undefined
}

const CHUNK_BYTES = 1 << 20

/** Bytes from which a file's type is told. */
export const HEAD_BYTES = 64 * 1024

export interface OpenedContents {
  /** Digest of all bytes. */
  readonly hash: string
  readonly bytes: number
  /** All bytes where they were wanted, else the first ones. */
  readonly kept: Buffer
}

/**
 * Reads an opened file from its beginning, up to `limitBytes` and one more: anyone who gets more knows that the file has
 * grown. A large file is not kept in memory.
 *
 * @throws what the file system throws
 */
export function readOpened(
  descriptor: number,
  { limitBytes, keepsAll }: { readonly limitBytes: number; readonly keepsAll: boolean },
): OpenedContents {
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
  return { hash: digest.digest(), bytes, kept: Buffer.concat(kept) }
}

/** Digest of each asset's bytes by source; one that cannot be read, or must not be, has the empty text. */
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
