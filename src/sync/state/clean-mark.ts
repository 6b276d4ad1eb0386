// The mark of a run after which files and target were equal. If nothing that it names has changed, a run has nothing to
// do, and finds that out without loading a parser, a database or a network client. The warnings, and what a run needs
// for a few edited articles, are in separate files, so that this one stays small.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { replaceOwn } from '../../content/pipeline/own-diagnostics.ts'
import { textInPieces, writeFileWhole } from '../../core/write-file-whole.ts'
import { reasonOf } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import { type MarkedEdit, writeRunIndex } from './run-index.ts'
import type { StateFiles } from './workspace.ts'
import { tryTo } from '../../core/try-to.ts'

export interface CleanMark {
  readonly version: 2
  readonly settingsDigest: string
  /** Digest of the file stamps; undefined if a file was too young to trust its stamp. */
  readonly stamps: string | undefined
  /** Digest of the bytes of all files; undefined if there are edits, which only count with their index. */
  readonly hashes: string | undefined
  /** Sources of the images that articles use. */
  readonly assets: readonly string[]
  /** Revision counter of the built-in database after the run; undefined for a remote target. */
  readonly revision: number | undefined
  readonly articles: number
  readonly drafts: number
  readonly taxonomy: number
  readonly orphans: number
  /** True if the last full run searched the target for all orphaned articles, and left none. */
  readonly hasPruned?: boolean
  /** Number of warnings. Every run repeats them. */
  readonly warnings: number
  /** Id of the files with the warnings and the index, which may be those of an earlier run. */
  readonly run: string
  /** The articles that have changed since that run. */
  readonly edits: readonly MarkedEdit[]
}

/** Loads the mark; undefined if there is none, or if its warnings are missing. */
export function loadCleanMark(files: StateFiles): CleanMark | undefined {
  const mark = readJson(files.mark) as CleanMark | undefined
  return mark?.version === 2 && (mark.warnings === 0 || existsSync(files.warnings)) ? mark : undefined
}

/** The warnings of a mark, sorted as in `LoadedContent`. */
export function loadWarnings(files: StateFiles, { run, edits }: CleanMark): readonly Diagnostic[] {
  const stored = readJson(files.warnings) as
    | { readonly run: string; readonly warnings: readonly Diagnostic[] }
    | undefined
  const known = stored?.run === run ? stored.warnings : []
  return edits.reduce((all, { name, diagnostics }) => replaceOwn(all, name, diagnostics), known)
}

/**
 * Writes the files that a mark refers to, then the mark.
 *
 * @returns the reason if it could not be written, which only makes the next run slower
 */
export async function writeCleanRun(
  files: StateFiles,
  mark: CleanMark,
  index: Parameters<typeof writeRunIndex>[1] | undefined,
  warnings: readonly Diagnostic[],
): Promise<string | undefined> {
  const { run } = mark
  const failed = await explainWriteFailure(
    files.warnings,
    writeFileWhole(files.warnings, warningsText(run, warnings)),
  )
  if (failed !== undefined) return failed
  if (index === undefined) rmSync(files.index, { force: true })
  else await explainWriteFailure(files.index, writeRunIndex(files.index, index))
  return writeCleanMark(files.mark, mark)
}

/** Formats the warnings of a run as JSON. */
function* warningsText(run: string, warnings: readonly Diagnostic[]): Generator<string> {
  yield `{"run":${JSON.stringify(run)},"warnings":[`
  yield* textInPieces(warnings, (warning, index) => `${index === 0 ? '' : ','}${JSON.stringify(warning)}`)
  yield ']}'
}

/** Writes the mark. Without a mark, the next run only takes longer. @returns the reason if it could not be written */
export function writeCleanMark(file: string, mark: CleanMark): Promise<string | undefined> {
  return explainWriteFailure(file, writeFileWhole(file, JSON.stringify(mark)))
}

/** Removes the mark before a change that makes it invalid. */
export function removeCleanMark(file: string): void {
  rmSync(file, { force: true })
}

/** Returns the reason why a file could not be written; undefined if it was. */
export async function explainWriteFailure(file: string, written: Promise<void>): Promise<string | undefined> {
  try {
    await written
    return undefined
  } catch (error) {
    // The next run checks all files.
    return `${file} could not be written: ${reasonOf(error)}`
  }
}

function readJson(file: string): unknown {
  return tryTo(() => JSON.parse(readFileSync(file, 'utf8')))
}
