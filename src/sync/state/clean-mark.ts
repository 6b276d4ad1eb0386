// The mark of a run after which files and target were equal. As long as nothing that the mark names has changed, a run
// has nothing to do, and can know it without loading a parser, a database or a network client.
import { readFileSync, rmSync } from 'node:fs'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { reasonOf } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'

export interface CleanMark {
  readonly version: 1
  readonly settingsDigest: string
  /** Digest of the file stamps; undefined where a file was too young for its stamp to be trusted. */
  readonly stamps: string | undefined
  /** Digest of the bytes of all files. */
  readonly hashes: string
  /** Sources of the images that articles use. */
  readonly assets: readonly string[]
  /** The built-in database's revision counter after the run. */
  readonly revision: number
  readonly articles: number
  readonly taxonomy: number
  readonly orphans: number
  /** Warnings are repeated by every run. */
  readonly diagnostics: readonly Diagnostic[]
}

export function loadCleanMark(file: string): CleanMark | undefined {
  try {
    const mark = JSON.parse(readFileSync(file, 'utf8')) as CleanMark
    return mark.version === 1 ? mark : undefined
  } catch {
    return undefined
  }
}

/** Writes the mark; one that cannot be written costs only time. @returns why it could not */
export async function writeCleanMark(file: string, mark: CleanMark): Promise<string | undefined> {
  try {
    await writeFileWhole(file, JSON.stringify(mark))
    return undefined
  } catch (error) {
    // The next run looks for itself.
    return `${file} could not be written: ${reasonOf(error)}`
  }
}

/** Removes the mark before anything is changed that it vouches for. */
export function removeCleanMark(file: string): void {
  rmSync(file, { force: true })
}
