import { contentPrefix, entryIfThere } from '../../core/paths.ts'
import { runGit } from '../../core/git/run-git.ts'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'
import { workspaceOf, type Workspace } from '../../sync/state/workspace.ts'
import { chooseMove, type ChosenMove } from './choose-move.ts'
import { type DecidedMove, decideMove } from './decide-move.ts'
import { readContentFolder } from '../../content/source/content-folder.ts'
import type { DecidedFile } from './decide-file.ts'
import type { ChangedFile, MoveFilesOptions, MoveResult } from './move-options.ts'
import { readInterruptedMove, dropInterruptedMove, writeInterruptedMove } from './interrupted-move.ts'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digest } from '../../core/digest.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { listFiles } from './file-tree.ts'
import { pathBefore } from './path-move.ts'
import type { Settings } from '../../core/config/settings.ts'
import { loadFrontmatterFiles } from '../../content/preset/load-frontmatter-files.ts'
import { listSent } from '../../sync/state/load-past.ts'
import { loadState } from '../../sync/state/state-file.ts'
import { readTextFile } from './text-file.ts'

/**
 * Moves an article, a snippet, an image or a folder, and updates every link to it or in it. Decides everything before
 * it writes. If the files were already moved, updates only the links.
 *
 * @throws KbError USAGE (the move is not possible), CONTENT_UNREADABLE, CONTENT_CHANGED, FILES_UNWRITABLE, INTERRUPTED
 */
export async function moveSource(options: MoveFilesOptions): Promise<MoveResult> {
  const { settings, signal, dryRun = false, newSlug = false } = options
  // Paths cannot be interpreted without it.
  readContentFolder(settings.contentRoot, '', 'Nothing was moved.')
  const move = chooseMove({ contentRoot: settings.contentRoot, ...options })
  const workspace = workspaceOf(settings.root)
  const interrupted = move.isMoved ? readInterruptedMove(workspace, move) : undefined
  const decided = await decideMove({ settings, move, newSlug, interrupted })
  if (move.isMoved && interrupted === undefined) await assertWasMoved(decided, options, workspace)
  if (signal?.aborted === true)
    throw new KbError('INTERRUPTED', 'Stopped before anything was moved.', { hint: 'Run the command again.' })
  const { contentRoot } = settings
  if (!dryRun) await writeMove(decided, { contentRoot, prefix: contentPrefix(settings) }, workspace)
  return toResult(decided, contentPrefix(settings), dryRun)
}

/**
 * A typo in the old path must not count as a move that was already made. Neither must a broken link, if the file at the
 * new path was known before and no file at the old path ever was.
 */
async function assertWasMoved(
  { move, files }: DecidedMove,
  { settings, from, to }: MoveFilesOptions,
  workspace: Workspace,
): Promise<void> {
  if (await gitKnows(settings, ['ls-tree', 'HEAD'], move.from)) return
  if (!files.some((file) => !file.isMoved && isChanged(file))) {
    throw new KbError(
      'USAGE',
      `There is no file or folder ${from}, and there is no sign that it was moved to ${to}.`,
      {
        hint: 'Paths are relative to the project or to the content folder. No link leads to the old path: if you have moved the file, nothing is left to do.',
      },
    )
  }
  const sent = listSentSources(settings, workspace)
  const isSent = (path: string) => sent.some((source) => source === path || source.startsWith(`${path}/`))
  const isOwn = isSent(move.to) || (await gitKnows(settings, ['ls-tree', 'HEAD'], move.to))
  if (!isOwn || isSent(move.from) || (await gitKnows(settings, ['log', '-1'], move.from))) return
  if (await hasSlugOf(move, settings)) return
  throw new KbError(
    'USAGE',
    `There is no file or folder ${from}, and ${to} was not moved from there: it was committed or synced, and ${from} never was.`,
    {
      hint: `If you moved it, move it back to ${from}, and run the command again. Otherwise correct the links: kb check lists them.`,
    },
  )
}

async function gitKnows({ contentRoot }: Settings, command: readonly string[], source: string) {
  const found = await runGit({ folder: contentRoot }, [
    '--literal-pathspecs',
    ...command,
    '--',
    `./${source}`,
  ])
  return found !== undefined && found !== ''
}

/** Returns the files whose articles were sent to any target. */
function listSentSources({ project }: Settings, { stateFolder }: Workspace): readonly string[] {
  const names = entryIfThere(stateFolder)?.isDirectory() === true ? readdirSync(stateFolder) : []
  return names
    .filter((name) => /^\w+\.ndjson$/.test(name))
    .flatMap((name) => [...listSent(loadState(join(stateFolder, name), project)).keys()])
}

/** True if an article has the slug of the old path, which an earlier move wrote. */
async function hasSlugOf({ from, to, isFolder }: ChosenMove, { contentRoot, render }: Settings) {
  if (isFolder) return false
  const files = await loadFrontmatterFiles(render.frontmatter)
  const file = readTextFile(readFileSync(join(contentRoot, to)), files)
  return file !== undefined && file.slugAt(to) === file.derivedSlugAt(from)
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
  const { slug, aliases, translationOf, seoBannerUrl } = frontmatter
  const isWritten = slugKeys === undefined || Object.keys(slugKeys).length > 0
  return {
    file: `${prefix}${source}`,
    links,
    ...(typeof slug === 'string' && isWritten && { slug, ...(slugKeys && { slugKeys }) }),
    ...(aliases && { aliases }),
    ...(typeof translationOf === 'string' && { translationOf }),
    ...(typeof seoBannerUrl === 'string' && { seoBannerUrl }),
  }
}

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
async function writeMove(
  { move, files, sources }: DecidedMove,
  { contentRoot, prefix }: ContentFolder,
  workspace: Workspace,
): Promise<void> {
  const changed = files.filter(isChanged)
  assertUnchanged({ move, files, sources }, { contentRoot, prefix })
  const isRecorded = changed.length > 0
  if (isRecorded)
    await writeInterruptedMove(workspace, { from: move.from, to: move.to, files: digestsOf(changed) })
  if (!move.isMoved) {
    rename({ contentRoot, prefix }, move.from, move.to)
    removeEmptyFolders(contentRoot, dirname(move.from))
  }
  // Moved files come first, because their own links are wrong until then.
  for (const { source, text } of [...changed].toSorted((a, b) => Number(b.isMoved) - Number(a.isMoved)))
    await write(join(contentRoot, source), `${prefix}${source}`, text)
  if (isRecorded) dropInterruptedMove(workspace)
}

/** True if a new text must be written. */
function isChanged({ links, frontmatter }: DecidedFile): boolean {
  return links.length > 0 || Object.keys(frontmatter).length > 0
}

function digestsOf(files: readonly DecidedFile[]) {
  const moved = files.filter((file) => file.isMoved)
  return Object.fromEntries(
    moved.map(({ source, bytes, text }) => [source, { before: digest(bytes), after: digest(text) }]),
  )
}

/** Throws if a file was saved, created or moved since it was read, because it must not be overwritten. */
function assertUnchanged({ move, files, sources }: Omit<DecidedMove, 'moved'>, folder: ContentFolder): void {
  const { contentRoot, prefix } = folder
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
