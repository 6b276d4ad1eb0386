import { stat, writeFile } from 'node:fs/promises'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'

/** Pieces are written together up to this length. */
const CHUNK_LENGTH = 64 * 1024

/** Texts put together to longer ones, so that what is written is not written word by word. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/**
 * Writes a report into a file, all or nothing of it; what is no plain file, such as `/dev/stdout`, is written into.
 *
 * @throws KbError FILES_UNWRITABLE; `name` is the file as the user named it
 */
export async function writeReport(file: string, name: string, pieces: Iterable<string>): Promise<void> {
  try {
    const isPlain = (await stat(file).catch(() => undefined))?.isFile() ?? true
    if (isPlain) return await writeFileWhole(file, inChunks(pieces))
    await writeFile(file, inChunks(pieces), { flag: 'a' })
  } catch (error) {
    // What the system did not refuse is a fault of the format: nobody is to look for it in the folder.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new KbError('FILES_UNWRITABLE', `The report could not be written to ${name}: ${reasonOf(error)}.`, {
      cause: error,
      hint: 'Its folder must exist and be writable.',
    })
  }
}
