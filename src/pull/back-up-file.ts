import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileWhole } from '../util/write-file-whole.ts'

/**
 * Keeps a Markdown file as it is before something in it is overwritten on request.
 *
 * @throws where the backup cannot be written: then the file must not be touched
 */
export async function backUpFile(folder: string, source: string, text: string, now: Date): Promise<void> {
  const name = `${now.toISOString().replaceAll(':', '-')}-${encodeURIComponent(source)}`
  mkdirSync(folder, { recursive: true })
  await writeFileWhole(join(folder, name), text)
}
