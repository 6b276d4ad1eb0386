import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'
import type { Workspace } from '../../sync/state/workspace.ts'
import { digest } from '../../core/digest.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import type { DecidedFile } from './decide-file.ts'
import type { DecidedMove } from './decide-move.ts'
import { listFiles } from './file-tree.ts'
import { dropMoveNote, writeMoveNote } from './move-note.ts'
import { pathBefore } from './path-move.ts'

interface ContentFolder {
  readonly contentRoot: string
  /** The path before sources in messages. */
  readonly prefix: string
}

/**
 * Moves the file or folder and writes every changed text atomically. An interrupted run can be repeated.
 *
 * @throws KbError CONTENT_CHANGED (nothing was written), FILES_UNWRITABLE
 */
export async function writeMove(
  { move, files, sources }: DecidedMove,
  { contentRoot, prefix }: ContentFolder,
  workspace: Workspace,
): Promise<void> {
  const changed = files.filter(isChanged)
  assertUnchanged({ move, files, sources }, { contentRoot, prefix })
  const keepsNote = changed.length > 0
  if (keepsNote) await writeMoveNote(workspace, { from: move.from, to: move.to, files: digestsOf(changed) })
  if (!move.isMoved) {
    rename({ contentRoot, prefix }, move.from, move.to)
    removeEmptyFolders(contentRoot, dirname(move.from))
  }
  // Moved files come first, because their own links are wrong until then.
  for (const { source, text } of [...changed].toSorted((a, b) => Number(b.isMoved) - Number(a.isMoved)))
    await write(join(contentRoot, source), `${prefix}${source}`, text)
  if (keepsNote) dropMoveNote(workspace)
}

/** True if a new text must be written. */
export function isChanged({ links, frontmatter }: DecidedFile): boolean {
  return links.length > 0 || Object.keys(frontmatter).length > 0
}

function digestsOf(files: readonly DecidedFile[]) {
  const moved = files.filter((file) => file.isMoved)
  return Object.fromEntries(
    moved.map(({ source, bytes, text }) => [source, { before: digest(bytes), after: digest(text) }]),
  )
}

/** A file that someone saved, created or moved since it was read is not overwritten. */
function assertUnchanged(
  { move, files, sources }: Omit<DecidedMove, 'moved'>,
  { contentRoot, prefix }: ContentFolder,
): void {
  const now = listFiles(contentRoot).sources
  const isSame = now.length === sources.length && now.every((source, index) => source === sources[index])
  const other = files.find(({ source, bytes }) => {
    const place = move.isMoved ? source : pathBefore(move, source)
    return !readFileSync(join(contentRoot, place)).equals(bytes)
  })
  if (isSame && other === undefined) return
  const what = other === undefined ? 'Files in the content folder were' : `${prefix}${other.source} was`
  throw new KbError('CONTENT_CHANGED', `${what} changed while the links were read. Nothing was moved.`, {
    hint: 'Run the command again.',
  })
}

function rename({ contentRoot, prefix }: ContentFolder, from: string, to: string): void {
  const [old, place] = [join(contentRoot, from), join(contentRoot, to)]
  try {
    mkdirSync(dirname(place), { recursive: true })
    if (isSameFile(old, place)) {
      // Only the case changes, which some file systems do not support in one step.
      const temporary = `${place}.moving`
      renameSync(old, temporary)
      renameSync(temporary, place)
    } else renameSync(old, place)
  } catch (cause) {
    throw new KbError(
      'FILES_UNWRITABLE',
      `${prefix}${from} could not be moved to ${prefix}${to}: ${reasonWithoutPath(cause)}. Nothing was changed.`,
      { hint: 'Check its folder, and run the command again.', cause },
    )
  }
}

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }))
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev
}

async function write(file: string, name: string, text: string): Promise<void> {
  try {
    await writeFileWhole(file, text)
  } catch (cause) {
    throw new KbError(
      'FILES_UNWRITABLE',
      `${name} could not be written: ${reasonWithoutPath(cause)}. Other links may still be outdated.`,
      { hint: 'Make it writable, and run the same command again: it updates the other links.', cause },
    )
  }
}

function removeEmptyFolders(contentRoot: string, folder: string): void {
  if (folder === '.' || folder === '') return
  const path = join(contentRoot, folder)
  try {
    if (readdirSync(path).length > 0) return
    rmdirSync(path)
  } catch {
    // An empty folder may stay.
    return
  }
  removeEmptyFolders(contentRoot, dirname(folder))
}
