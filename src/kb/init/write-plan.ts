import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import type { InitPlan, PlannedFile } from './init-model.ts'
import { errorCodeOf } from '../../core/error-code.ts'

/**
 * Writes the files of a plan, one after another.
 *
 * @throws KbError FILES_UNWRITABLE at the first failure, with the files that were written
 */
export async function writePlan(root: string, { files }: InitPlan): Promise<void> {
  const written: string[] = []
  for (const planned of files) {
    if (planned.kind === 'keep') continue
    try {
      await write(join(root, planned.file), planned)
    } catch (error) {
      throw unwritable(planned.file, error, written)
    }
    written.push(planned.file)
  }
}

async function write(path: string, { kind, text }: Exclude<PlannedFile, { kind: 'keep' }>): Promise<void> {
  if (kind === 'change') {
    await writeFileWhole(path, text)
    return
  }
  await mkdir(dirname(path), { recursive: true })
  try {
    // Files created since the plan was made are not overwritten.
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

function unwritable(file: string, error: unknown, written: readonly string[]): KbError {
  const before = written.length === 0 ? 'Nothing was written.' : `Written before that: ${written.join(', ')}.`
  return new KbError(
    'FILES_UNWRITABLE',
    `${file} could not be written: ${reasonWithoutPath(error)}. ${before}`,
    { hint: 'Fix the cause, and run kb init again: it keeps the files that already exist.', cause: error },
  )
}
