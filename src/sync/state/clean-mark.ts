// The mark of a run after which files and target were equal. While nothing that it names has changed, a run has nothing
// to do, and finds that out without loading a parser, a database or a network client. What a run needs for a few edited
// articles, and the warnings, are in files of their own, so that this one stays small.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { ArticleIndex } from '../../content/pipeline/article-index.ts'
import { replaceOwn } from '../../content/pipeline/own-diagnostics.ts'
import type { FileStamp } from '../../content/source/find-sources.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { reasonOf } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { Orphan } from '../../core/model/plan.ts'
import type { RemoteCategory } from '../../core/model/remote-article.ts'
import type { StateFiles } from './workspace.ts'

export interface CleanMark {
  readonly version: 2
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
  readonly drafts: number
  readonly taxonomy: number
  readonly orphans: number
  /** Number of warnings, which every run repeats. */
  readonly warnings: number
  /** Names the files with the warnings and the index, which may be those of an earlier run. */
  readonly run: string
  /** The articles that have changed since then. */
  readonly edits: readonly MarkedEdit[]
}

/** An article that was edited, or whose links or warnings have changed. */
export interface MarkedEdit {
  readonly source: string
  /** Set if its file was edited. */
  readonly file?: IndexedFile | undefined
  readonly linksTo: readonly string[]
  /** Its name in diagnostics, and its own ones. */
  readonly name: string
  readonly diagnostics: readonly Diagnostic[]
}

/** Stands for a stamp that was too young to trust. No file has this size. */
export const UNTRUSTED_SIZE = -1

/** A file with the digest of its bytes. */
export interface IndexedFile extends FileStamp {
  readonly hash: string
}

/** What a run knows of content and target when both are equal. */
export interface RunIndex {
  /** As `CleanMark.run`. */
  readonly run: string
  /** Articles, taxonomy files, images and snippets. */
  readonly files: readonly IndexedFile[]
  readonly content: ArticleIndex
  readonly target: KnownTarget
}

export interface KnownTarget {
  readonly categories: readonly RemoteCategory[]
  readonly languages: readonly string[]
  readonly articleLimit: number | undefined
  /** Ids of what was created from the taxonomy files. */
  readonly categoryIds: Readonly<Record<string, string>>
  readonly tagIds: Readonly<Record<string, string>>
  readonly orphans: readonly Orphan[]
}

/** Undefined if there is none, or if its warnings are missing. */
export function loadCleanMark(files: StateFiles): CleanMark | undefined {
  const mark = readJson(files.mark) as CleanMark | undefined
  return mark?.version === 2 && (mark.warnings === 0 || existsSync(files.warnings)) ? mark : undefined
}

/** The warnings of a mark, sorted as in `LoadedContent`. */
export function loadWarnings(files: StateFiles, { run, edits }: CleanMark): readonly Diagnostic[] {
  const stored = readJson(files.warnings) as StoredWarnings | undefined
  const known = stored?.run === run ? stored.warnings : []
  return edits.reduce((all, { name, diagnostics }) => replaceOwn(all, name, diagnostics), known)
}

interface StoredWarnings {
  readonly run: string
  readonly warnings: readonly Diagnostic[]
}

/** The index of a mark; undefined if it belongs to another one. */
export function loadRunIndex(files: StateFiles, { run, edits }: CleanMark): RunIndex | undefined {
  const index = readJson(files.index) as RunIndex | undefined
  if (index?.run !== run) return undefined
  const edited = new Map(edits.map((edit) => [edit.source, edit]))
  const articles = index.content.articles.map((row) => {
    const edit = edited.get(row.source)
    return edit === undefined ? row : { ...row, linksTo: edit.linksTo }
  })
  const known = index.files.map((file) => edited.get(file.source)?.file ?? file)
  return { ...index, files: known, content: { ...index.content, articles } }
}

/**
 * Writes the files that a mark refers to, and then the mark.
 *
 * @returns the reason if it could not be written: the next run only takes longer
 */
export async function writeCleanRun(
  files: StateFiles,
  mark: CleanMark,
  index: RunIndex | undefined,
  warnings: readonly Diagnostic[],
): Promise<string | undefined> {
  const { run } = mark
  const failed = await writeJson(files.warnings, { run, warnings } satisfies StoredWarnings)
  if (failed !== undefined) return failed
  if (index === undefined) rmSync(files.index, { force: true })
  else await writeRunIndex(files, index)
  return writeCleanMark(files.mark, mark)
}

/** Writes the mark. Without a mark, the next run only takes longer. @returns the reason if it could not be written */
export function writeCleanMark(file: string, mark: CleanMark): Promise<string | undefined> {
  return writeJson(file, mark)
}

/** Writes the index. Without it, the next run is a full one. */
export function writeRunIndex(files: StateFiles, index: RunIndex): Promise<string | undefined> {
  return writeJson(files.index, index)
}

/** Removes the mark before a change makes it invalid. */
export function removeCleanMark(file: string): void {
  rmSync(file, { force: true })
}

async function writeJson(file: string, value: unknown): Promise<string | undefined> {
  try {
    await writeFileWhole(file, JSON.stringify(value))
    return undefined
  } catch (error) {
    // The next run checks all files.
    return `${file} could not be written: ${reasonOf(error)}`
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
