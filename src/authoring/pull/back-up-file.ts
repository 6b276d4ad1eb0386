import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { digest } from '../../core/digest.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'

/**
 * Keeps a Markdown file as it is before something in it is overwritten on request.
 *
 * @returns the file's name in the folder
 * @throws where the backup cannot be written: then the file must not be touched
 */
export async function backUpFile(folder: string, source: string, text: string, now: Date): Promise<string> {
  const name = `${now.toISOString().replaceAll(':', '-')}-${nameOf(source)}`
  mkdirSync(folder, { recursive: true })
  await writeFileWhole(join(folder, name), text)
  return name
}

/** File systems take 255 bytes; the time stands before it. */
function nameOf(source: string): string {
  const encoded = encodeURIComponent(source)
  return encoded.length <= LONGEST_NAME ? encoded : `${digest(source)}-${encoded.slice(-LONGEST_NAME + 33)}`
}

const LONGEST_NAME = 200
