import { randomBytes } from 'node:crypto'
import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UsedAsset } from '../../../content/assets/create-asset-reader.ts'
import { openInside } from '../../../content/assets/open-inside.ts'
import { readOpened } from '../../../content/assets/read-opened.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { createDigest } from '../../../core/digest.ts'

const CHUNK_BYTES = 1 << 20

type Wanted = Pick<UsedAsset, 'source' | 'bytes' | 'hash'>

/** Whether a file holds what is wanted there. A link to such a file does not count. */
export function isThere(file: string, { bytes, hash }: Wanted): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats?.isFile() !== true || stats.size !== bytes) return false
  try {
    const descriptor = openSync(file, 'r')
    try {
      return readOpened(descriptor, { limitBytes: bytes, keepsAll: false }).hash === hash
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}

/**
 * Copies a file of the content folder in one step: under its name stands all of it or nothing.
 *
 * @throws KbError ASSETS_NOT_COPIED
 */
export async function copyWhole(contentRoot: string, asset: Wanted, file: string): Promise<void> {
  const opened = openInside(contentRoot, asset.source)
  if (opened.kind !== 'opened') throw changed(asset.source)
  const beside = join(dirname(file), `.${randomBytes(6).toString('hex')}.part`)
  try {
    const handle = await open(beside, 'wx')
    try {
      if ((await copyBytes(opened.descriptor, handle)) !== asset.hash) throw changed(asset.source)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    if (error instanceof KbError) throw error
    throw new KbError('ASSETS_NOT_COPIED', `${file} could not be written: ${reasonOf(error)}.`, {
      hint: 'Make room there, or make the folder writable, and run the command again.',
      cause: error,
    })
  } finally {
    closeSync(opened.descriptor)
  }
}

/** @returns digest of what was copied */
async function copyBytes(from: number, to: FileHandle): Promise<string> {
  const digest = createDigest()
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let at = 0
  for (let count = -1; count !== 0; at += count) {
    count = readSync(from, chunk, 0, chunk.length, at)
    const read = chunk.subarray(0, count)
    digest.update(read)
    // Goes on after a short write, until all is there.
    await to.writeFile(read)
  }
  return digest.digest()
}

function changed(source: string): KbError {
  return new KbError('ASSETS_NOT_COPIED', `"${source}" was changed while it was copied.`, {
    hint: 'Run the command again.',
  })
}
