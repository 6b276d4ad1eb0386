import { mkdirSync, realpathSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { digest } from '../../core/digest.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import type { PulledFile, PullContentOptions, FileReports, AcceptedFile } from './pulled-files.ts'
import { CHANGED_MEANWHILE, readUnchanged } from './read-incoming.ts'
import { entryIfThere, isInside, nearestExisting } from '../../core/paths.ts'

interface WriteOptions extends Pick<PullContentOptions, 'dryRun' | 'now' | 'signal'> {
  readonly contentRoot: string
  readonly backupFolder: string
}

/**
 * Writes the files one by one. A file that cannot be written is reported, and the others are still written.
 *
 * @returns `failure`: why writing ended early; the other files are unchanged
 */
export async function writeProposedFiles(
  accepted: readonly AcceptedFile[],
  reports: FileReports,
  noteOf: (proposed: AcceptedFile) => string | undefined,
  options: WriteOptions,
) {
  const files: PulledFile[] = []
  const written: AcceptedFile[] = []
  let failure: KbError | undefined
  for (const proposed of accepted) {
    if (options.dryRun) {
      files.push(reports.proposed(proposed, 'planned', noteOf(proposed)))
    } else if (options.signal?.aborted === true) {
      failure = interrupted()
      files.push(reports.proposed(proposed, 'skipped', 'the run was stopped'))
    } else {
      const file = await writeProposedFile(proposed, reports, noteOf(proposed), options)
      if (file.outcome === 'done') written.push(proposed)
      files.push(file)
    }
  }
  return { files, written, failure }
}

async function writeProposedFile(
  proposed: AcceptedFile,
  reports: FileReports,
  note: string | undefined,
  { contentRoot, backupFolder, now }: WriteOptions,
): Promise<PulledFile> {
  const { incoming, text } = proposed
  let backup: string | undefined
  try {
    if (incoming.kind === 'new') {
      await writeArticleFile(contentRoot, incoming.source, text, { createNew: true })
    } else {
      // A file that was saved since it was read is not overwritten.
      if (readUnchanged(contentRoot, incoming.article) === undefined)
        return reports.proposed(proposed, 'failed', CHANGED_MEANWHILE)
      if (incoming.isForced)
        backup = `.kb/backups/${await backUpFile(backupFolder, incoming.source, incoming.before, now())}`
      await writeArticleFile(contentRoot, incoming.source, text)
    }
    return { ...reports.proposed(proposed, 'done', note), ...(backup !== undefined && { backup }) }
  } catch (error) {
    return reports.proposed(proposed, 'failed', reasonOf(error).replace(/\.$/, ''))
  }
}

function interrupted(): KbError {
  return new KbError('INTERRUPTED', 'Stopped before all files were written. No file is incomplete.', {
    hint: 'Run the command again to pull the rest.',
  })
}

/**
 * Stores a backup of a Markdown file before a part of it is overwritten on request.
 *
 * @returns the name of the backup in the folder
 * @throws if the backup cannot be written: the file must then not be changed
 */
async function backUpFile(folder: string, source: string, text: string, now: Date): Promise<string> {
  const name = `${now.toISOString().replaceAll(':', '-')}-${nameOf(source)}`
  mkdirSync(folder, { recursive: true })
  await writeFileWhole(join(folder, name), text)
  return name
}

/** File names are limited to 255 bytes, and a time precedes the name. */
function nameOf(source: string): string {
  const encoded = encodeURIComponent(source)
  return encoded.length <= LONGEST_NAME ? encoded : `${digest(source)}-${encoded.slice(-LONGEST_NAME + 33)}`
}

const LONGEST_NAME = 200

interface WriteArticleOptions {
  /** True if an existing file is an error. Default: false. */
  readonly createNew?: boolean
}

/**
 * Writes an article's file atomically. Keeps its mode, and creates folders. Never writes outside the content folder,
 * with links followed.
 *
 * @throws KbError FILES_UNWRITABLE
 */
export async function writeArticleFile(
  contentRoot: string,
  source: string,
  text: string,
  { createNew = false }: WriteArticleOptions = {},
): Promise<void> {
  try {
    const file = placeOf(contentRoot, source)
    if (createNew && entryIfThere(file) !== undefined) throw new Error('a file with that name already exists')
    await writeFileWhole(file, text)
  } catch (cause) {
    throw new KbError('FILES_UNWRITABLE', `${source} could not be written: ${reasonOf(cause)}.`, {
      hint: 'The file was not changed. Check its folder, and run kb pull again.',
      cause,
    })
  }
}

function placeOf(contentRoot: string, source: string): string {
  const root = realpathSync(contentRoot)
  const file = join(root, source)
  if (file === root || !isInside(root, file)) throw new Error('it is not inside the content folder')
  // A link may lead outside, so every existing folder is checked before one is created in it.
  const parent = nearestExisting(dirname(file))
  if (!isInside(root, realpathSync(parent)))
    throw new Error('its folder is a link to a folder outside the content folder')
  mkdirSync(dirname(file), { recursive: true })
  if (entryIfThere(file) === undefined) return file
  // Writes through a link to a file inside, so that it stays a link.
  const real = realpathSync(file)
  if (!isInside(root, real)) throw new Error('it is a link to a file outside the content folder')
  return real
}
