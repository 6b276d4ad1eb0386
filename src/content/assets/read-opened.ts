import { readSync } from 'node:fs'
import { createDigest } from '../../core/digest.ts'

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
 * Reads an opened file from its beginning, up to `limitBytes` and one more: whoever gets more knows that the file has
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
