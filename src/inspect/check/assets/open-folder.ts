import { mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isInside, statIfThere } from '../../../content/inside.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'

/**
 * Makes the folder for published files, unless nothing may be written.
 *
 * @throws KbError USAGE where it is a file or lies in the content folder, ASSETS_NOT_COPIED where it cannot be made
 */
export function openFolder(folder: string, contentRoot: string, dryRun: boolean): void {
  const stats = statIfThere(folder)
  if (stats !== undefined && !stats.isDirectory())
    throw new KbError('USAGE', `${folder} is a file.`, {
      hint: 'Name a folder, or one that is yet to be made.',
    })
  if (isInside(realPlace(contentRoot), realPlace(folder))) {
    throw new KbError('USAGE', `${folder} lies in the content folder.`, {
      hint: 'Name a folder outside of it: copies there would be content themselves.',
    })
  }
  if (dryRun) return
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new KbError('ASSETS_NOT_COPIED', `The folder ${folder} could not be made: ${reasonOf(error)}.`, {
      hint: 'Make room there, or make the folder writable, and run the command again.',
      cause: error,
    })
  }
}

/** Where a path really leads, as far as it exists. */
function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPlace(above), basename(path))
  }
}
