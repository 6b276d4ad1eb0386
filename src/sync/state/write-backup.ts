import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { unwritableHint } from '../../core/errors/unwritable-hint.ts'

/**
 * Keeps what is about to be overwritten or deleted on request.
 *
 * @returns the file written
 * @throws KbError WORKSPACE_UNWRITABLE: then the article must not be touched
 */
export async function writeBackup(folder: string, id: string, article: unknown, now: Date): Promise<string> {
  const name = `${now.toISOString().replaceAll(':', '-')}-${encodeURIComponent(id)}.json`
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true })
    await writeFileWhole(file, `${JSON.stringify(article, undefined, 2)}\n`)
    return file
  } catch (error) {
    throw new KbError(
      'WORKSPACE_UNWRITABLE',
      `The backup ${file} could not be written: ${reasonOf(error)}. The article was left as it is.`,
      {
        hint: unwritableHint(error),
        cause: error,
      },
    )
  }
}
