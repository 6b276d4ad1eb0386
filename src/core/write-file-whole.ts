import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Writes a file atomically: readers see either the old or the new text, even after a crash or on a full disk. Keeps the
 * mode of an existing file, and follows links.
 *
 * @param text in chunks if it would be too long for one string
 */
export async function writeFileWhole(
  file: string,
  text: string | Iterable<string | Uint8Array>,
): Promise<void> {
  const place = await realpath(file).catch(() => file)
  const mode = await stat(place).then(
    (stats) => stats.mode & 0o777,
    () => undefined,
  )
  const beside = `${place}.${randomBytes(4).toString('hex')}`
  try {
    const handle = await open(beside, 'wx')
    try {
      // Continues after a short write until everything is written or the disk is full.
      await writeFile(handle, text)
      if (mode !== undefined) await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, place)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Joins the texts of many items to chunks for `writeFileWhole`. */
export function* textInPieces<T>(
  items: readonly T[],
  toText: (item: T, index: number) => string,
): Generator<string> {
  for (let from = 0; from < items.length; from += ITEMS_PER_PIECE)
    yield items
      .slice(from, from + ITEMS_PER_PIECE)
      .map((item, index) => toText(item, from + index))
      .join('')
}

const ITEMS_PER_PIECE = 1000
