import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInside } from '../../core/paths.ts'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'

/**
 * Writes a new file and its folders. Never overwrites anything.
 *
 * @param prefix path before sources in messages
 * @throws KbError FILES_UNWRITABLE
 */
export async function writeNewFile(
  { contentRoot, prefix }: { readonly contentRoot: string; readonly prefix: string },
  source: string,
  text: string,
): Promise<void> {
  const file = join(contentRoot, source)
  try {
    assertInside(contentRoot, dirname(file))
    mkdirSync(dirname(file), { recursive: true })
    await writeExclusively(file, text)
  } catch (cause) {
    throw new KbError(
      'FILES_UNWRITABLE',
      `${prefix}${source} could not be written: ${reasonWithoutPath(cause)}.`,
      { hint: 'Nothing was changed. Check its folder, and run the command again.', cause },
    )
  }
}

async function writeExclusively(file: string, text: string): Promise<void> {
  // Fails if the name exists, even as a broken link.
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } catch (error) {
    // Removes an incomplete file.
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** A folder may be a link that leads elsewhere. */
function assertInside(contentRoot: string, folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined && folder !== contentRoot) {
    assertInside(contentRoot, dirname(folder))
    return
  }
  mkdirSync(contentRoot, { recursive: true })
  if (!isInside(realpathSync(contentRoot), realpathSync(folder)))
    throw new Error('its folder is a link to a folder outside the content folder')
}
