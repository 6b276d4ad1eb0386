import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KbError, reasonWithoutPath } from '../../../core/errors/kb-error.ts'
import { writeFileWhole } from '../../../core/write-file-whole.ts'
import type { BaselineFile } from './read-baseline.ts'
import { type FindingsToAccept, formatBaseline } from './format-baseline.ts'

/**
 * Writes the findings as a baseline, in one step: where it fails, what stood there before is still there.
 *
 * @throws KbError FILES_UNWRITABLE
 */
export async function writeBaseline({ path, name }: BaselineFile, findings: FindingsToAccept): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFileWhole(path, formatBaseline(findings))
  } catch (error) {
    throw new KbError(
      'FILES_UNWRITABLE',
      `The baseline could not be written to ${name}: ${reasonWithoutPath(error)}.`,
      { hint: 'Name a file in a folder that can be written.', cause: error },
    )
  }
}
