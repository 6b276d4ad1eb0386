import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Writes a file in one step: anyone who reads it sees all of the old text or all of the new, also after a crash or on a
 * full disk. The mode of a file that is there stays, and a link to a file is written through.
 *
 * @param text in pieces where it would be too long for one
 */
export async function writeFileWhole(file: string, text: string | Iterable<string>): Promise<void> {
  const place = await realpath(file).catch(() => file)
  const mode = await stat(place).then(
    (stats) => stats.mode & 0o777,
    () => undefined,
  )
  const beside = `${place}.${randomBytes(4).toString('hex')}`
  try {
    const handle = await open(beside, 'wx')
    try {
      // Goes on after a short write, until all is there or the disk says that it is full.
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
