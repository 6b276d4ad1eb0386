import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { createDigest, digest } from '../../core/digest.ts'
import type { FileStamp, FoundSources } from './find-sources.ts'
import { statIfThere } from '../../core/paths.ts'

/** A newer file may be written again within the same tick of the file system's clock. */
const STAMP_TRUST_MS = 2000

/** Digests of files by source; undefined for an unreadable one. */
export type FileDigests = ReadonlyMap<string, string | undefined>

/** Digest of the file tree, which shows whether anything has changed. */
export type TreeDigest = ReturnType<typeof stampTree>

/** Returns the digest of the stamps of articles, taxonomy files and used images. `assets` are the images, by source. */
export function stampTree(contentRoot: string, found: FoundSources, assets: readonly string[]) {
  const files = [
    ...found.articles,
    ...found.taxonomy,
    ...assets.map((source) => stampAsset(contentRoot, source)),
  ]
  const newestMs = files.reduce((newest, file) => Math.max(newest, file.mtimeMs, file.ctimeMs), 0)
  return {
    files,
    /** Equal stamps: nothing was touched since. */
    stamps: digestStamps(files),
    /** Unix time of the newest change, in milliseconds. */
    newestMs,
  }
}

/** Digests the numbers as they are in memory, because formatting them would take longer than finding the files. */
function digestStamps(files: readonly FileStamp[]): string {
  const numbers = new Float64Array(files.length * 4)
  let at = 0
  for (const { size, mtimeMs, ctimeMs, ino } of files) {
    numbers[at++] = size
    numbers[at++] = mtimeMs
    numbers[at++] = ctimeMs
    numbers[at++] = ino
  }
  const running = createDigest()
  running.update(new Uint8Array(numbers.buffer))
  running.update(Buffer.from(files.map(({ source }) => source).join('\0')))
  return running.digest()
}

/** Returns true if every file was written so long before `now` that its stamp is reliable. */
export function isSettled({ newestMs }: Pick<TreeDigest, 'newestMs'>, now: number): boolean {
  return now - newestMs > STAMP_TRUST_MS
}

export function hashSources(contentRoot: string, sources: readonly string[]): FileDigests {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  return new Map(sources.map((source) => [source, hashSource(contentRoot, source, buffer)]))
}

/** Few articles are longer. */
const BUFFER_BYTES = 256 * 1024

/** Returns one digest for all files. Equal digests mean equal content, regardless of times. */
export function digestHashes(hashes: FileDigests): string {
  return digest([...hashes].map(([source, hash = '']) => `${source}\0${hash}\n`).join(''))
}

/**
 * Returns the digest of a file's bytes, or undefined if it cannot be read.
 *
 * @param buffer for the bytes, so that those of thousands of files do not stay in memory until garbage collection
 */
export function hashSource(contentRoot: string, source: string, buffer?: Buffer): string | undefined {
  const file = join(contentRoot, source)
  try {
    return digest((buffer && readInto(buffer, file)) ?? readFileSync(file))
  } catch {
    return undefined
  }
}

/** Returns the bytes of a file, or undefined if they may be too many for the buffer. */
function readInto(buffer: Buffer, file: string): Buffer | undefined {
  const descriptor = openSync(file, 'r')
  try {
    let length = 0
    while (length < buffer.length) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, null)
      if (read === 0) return buffer.subarray(0, length)
      length += read
    }
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

function stampAsset(contentRoot: string, source: string): FileStamp {
  const { size = -1, mtimeMs = 0, ctimeMs = 0, ino = 0 } = statIfThere(join(contentRoot, source)) ?? {}
  return { source, size, mtimeMs, ctimeMs, ino }
}
