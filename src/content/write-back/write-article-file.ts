import { mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { entryIfThere, isInside, nearestExisting } from '../../core/paths.ts'

interface WriteArticleOptions {
  /** True if an existing file is an error. Default: false. */
  readonly createNew?: boolean
}

/**
 * Writes an article's file atomically. Keeps its mode, and creates folders. Never writes outside the content folder,
 * links followed.
 *
 * @throws KbError CONTENT_UNREADABLE
 */
export async function writeArticleFile(
  contentRoot: string,
  source: string,
  text: string,
  { createNew = false }: WriteArticleOptions = {},
): Promise<void> {
  try {
    const file = placeOf(contentRoot, source)
    if (createNew && entryIfThere(file) !== undefined) throw new Error('a file with that name already exists')
    await writeFileWhole(file, text)
  } catch (cause) {
    throw new KbError('CONTENT_UNREADABLE', `${source} could not be written: ${reasonOf(cause)}.`, {
      hint: 'The file was not changed. Check its folder, and run kb pull again.',
      cause,
    })
  }
}

function placeOf(contentRoot: string, source: string): string {
  const root = realpathSync(contentRoot)
  const file = join(root, source)
  if (file === root || !isInside(root, file)) throw new Error('it is not inside the content folder')
  // A link may lead outside, so every existing folder is checked before one is created in it.
  const parent = nearestExisting(dirname(file))
  if (!isInside(root, realpathSync(parent)))
    throw new Error('its folder is a link to a folder outside the content folder')
  mkdirSync(dirname(file), { recursive: true })
  if (entryIfThere(file) === undefined) return file
  // Writes through a link to a file inside, so that it stays a link.
  const real = realpathSync(file)
  if (!isInside(root, real)) throw new Error('it is a link to a file outside the content folder')
  return real
}
