import { contentPrefix } from '../../sync/content-project.ts'
import { runGit } from '../../core/git/run-git.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { workspaceOf } from '../../sync/state/workspace.ts'
import { chooseMove, type ChosenMove } from './choose-move.ts'
import { type DecidedMove, decideMove } from './decide-move.ts'
import { readContentFolder } from '../../content/source/content-folder.ts'
import type { DecidedFile } from './decide-file.ts'
import type { ChangedFile, MoveFilesOptions, MoveResult } from './move-options.ts'
import { readMoveNote } from './move-note.ts'
import { isChanged, writeMove } from './write-move.ts'

/**
 * Moves an article, a snippet, an image or a folder, and updates every link to it or in it. Decides everything before
 * it writes. If the files were moved already, updates the links only.
 *
 * @throws KbError USAGE (the move is not possible), CONTENT_UNREADABLE, CONTENT_CHANGED, FILES_UNWRITABLE, INTERRUPTED
 */
export async function moveSource(options: MoveFilesOptions): Promise<MoveResult> {
  const { settings, signal, dryRun = false, newSlug = false } = options
  // Paths cannot be interpreted without it.
  readContentFolder(settings.contentRoot, '', 'Nothing was moved.')
  const move = chooseMove({ contentRoot: settings.contentRoot, ...options })
  const workspace = workspaceOf(settings.root)
  const note = move.isMoved ? readMoveNote(workspace, move) : undefined
  const decided = await decideMove({ settings, move, newSlug, note })
  if (move.isMoved && note === undefined) await assertWasMoved(decided, options)
  if (signal?.aborted === true) {
    throw new KbError('INTERRUPTED', 'Stopped before anything was moved.', { hint: 'Run the command again.' })
  }
  const { contentRoot } = settings
  if (!dryRun) await writeMove(decided, { contentRoot, prefix: contentPrefix(settings) }, workspace)
  return toResult(decided, contentPrefix(settings), dryRun)
}

/** A typo in the old path must not count as a move that was made already. */
async function assertWasMoved(
  { move, files }: DecidedMove,
  { settings, from, to }: MoveFilesOptions,
): Promise<void> {
  const isMissed = files.some((file) => !file.isMoved && isChanged(file))
  if (isMissed || (await isKnownToGit(settings.contentRoot, move))) return
  throw new KbError(
    'USAGE',
    `There is no file or folder ${from}, and there is no sign that it was moved to ${to}.`,
    { hint: 'Paths are relative to the project or to the content folder.' },
  )
}

async function isKnownToGit(contentRoot: string, { from }: ChosenMove): Promise<boolean> {
  const tree = await runGit(contentRoot, ['ls-tree', '--name-only', 'HEAD', '--', `./${from}`])
  return tree !== undefined && tree !== ''
}

function toResult({ move, files: decided, moved }: DecidedMove, prefix: string, dryRun: boolean): MoveResult {
  const files = decided.toSorted((a, b) => (a.source < b.source ? -1 : 1))
  return {
    from: `${prefix}${move.from}`,
    to: `${prefix}${move.to}`,
    moved: move.isMoved ? 0 : moved,
    wasMoved: move.isMoved,
    dryRun,
    files: files.filter(isChanged).map((file) => toChanged(file, prefix)),
    left: files.flatMap(({ source, left }) => left.map((reason) => ({ file: `${prefix}${source}`, reason }))),
  }
}

function toChanged({ source, links, frontmatter, slugKeys }: DecidedFile, prefix: string): ChangedFile {
  const { slug, translationOf } = frontmatter
  const isWritten = slugKeys === undefined || Object.keys(slugKeys).length > 0
  return {
    file: `${prefix}${source}`,
    links,
    ...(typeof slug === 'string' && isWritten && { slug, ...(slugKeys && { slugKeys }) }),
    ...(typeof translationOf === 'string' && { translationOf }),
  }
}
