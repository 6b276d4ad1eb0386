// The mark of a run after which files and target were equal. While nothing that it names has changed, a run has nothing
// to do, and finds that out without loading a parser, a database or a network client.
import { readFileSync, rmSync } from 'node:fs'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { reasonOf } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'

export interface CleanMark {
  readonly version: 1
  readonly settingsDigest: string
  /** Digest of the file stamps; undefined if a file was too young to trust its stamp. */
  readonly stamps: string | undefined
  /** Digest of the bytes of all files. */
  readonly hashes: string
  /** Sources of the images that articles use. */
  readonly assets: readonly string[]
  /** Revision counter of the built-in database after the run. */
  readonly revision: number
  readonly articles: number
  readonly taxonomy: number
  readonly orphans: number
  /** Warnings, which every run repeats. */
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

/** Writes the mark. Without a mark, the next run only takes longer. @returns the reason if it could not be written */
export async function writeCleanMark(file: string, mark: CleanMark): Promise<string | undefined> {
  try {
    await writeFileWhole(file, JSON.stringify(mark))
    return undefined
  } catch (error) {
    // The next run checks all files.
    return `${file} could not be written: ${reasonOf(error)}`
  }
}

/** Removes the mark before a change makes it invalid. */
export function removeCleanMark(file: string): void {
  rmSync(file, { force: true })
}
