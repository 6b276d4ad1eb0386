import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHmac } from 'node:crypto'
import { describeDatabase } from '../../core/database-url.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { errorCodeOf, isOutOfSpace } from '../../core/error-code.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import { digest } from '../../core/digest.ts'

/** The paths in .kb/. `state`, `cache` and `history` are disposable; database, journal and backups are not. */
export type Workspace = ReturnType<typeof workspaceOf>

export function workspaceOf(root: string) {
  const folder = join(root, '.kb')
  return {
    folder,
    cacheFile: join(folder, 'cache', 'rendered.db'),
    stateFolder: join(folder, 'state'),
    backupFolder: join(folder, 'backups'),
    journalFolder: join(folder, 'journal'),
    historyFolder: join(folder, 'history'),
    apiKeyFile: join(folder, 'api-key'),
    /** The file that names the server of the pages while it runs. */
    servingFile: join(folder, 'serving.json'),
  }
}

/**
 * Creates .kb/ with its own .gitignore, so that neither the database nor keys get into git.
 *
 * @throws KbError WORKSPACE_UNWRITABLE
 */
export function prepareWorkspace(workspace: Workspace): void {
  try {
    prepareFolder(workspace, workspace.stateFolder)
  } catch (error) {
    throw workspaceUnwritable(`The folder ${workspace.folder} cannot be written`, error, 'Nothing was sent.')
  }
}

/** Prepares .kb/ with its .gitignore; false if nothing can be stored there. */
export function canPrepare(workspace: Workspace): boolean {
  try {
    prepareWorkspace(workspace)
    return true
  } catch (error) {
    if (error instanceof KbError) return false
    throw error
  }
}

/** Creates a folder in .kb/ that git ignores. @throws what the operating system reports */
export function prepareFolder(workspace: Pick<Workspace, 'folder'>, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const ignore = join(workspace.folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
}

/**
 * Writes a backup of an article before it is overwritten or deleted on request.
 *
 * @returns the written file
 * @throws KbError WORKSPACE_UNWRITABLE: then the article must not be changed
 */
export async function writeBackup(folder: string, id: string, article: unknown, now: Date): Promise<string> {
  const idInName = encodeURIComponent(id)
  // Names of files have at most 255 bytes, and ids any length.
  const shortId = idInName.length > 150 ? `${idInName.slice(0, 100)}-${digest(id)}` : idInName
  const file = join(folder, `${now.toISOString().replaceAll(':', '-')}-${shortId}.json`)
  try {
    mkdirSync(folder, { recursive: true })
    await writeFileWhole(file, `${JSON.stringify(article, undefined, 2)}\n`)
    return file
  } catch (error) {
    throw workspaceUnwritable(
      `The backup ${file} could not be written`,
      error,
      'The article was not changed.',
    )
  }
}

export type StateFiles = ReturnType<typeof stateFiles>

export function stateFiles(
  target: TargetSettings,
  settings: Pick<Settings, 'server' | 'project'>,
  { stateFolder, journalFolder }: Pick<Workspace, 'stateFolder' | 'journalFolder'>,
) {
  const name =
    target.kind === 'builtin'
      ? targetIdentity(describeDatabase(settings.server.db), 'builtin')
      : targetIdentity(target.url, target.apiKey ?? '')
  const base = join(stateFolder, name)
  return {
    state: `${base}.ndjson`,
    /** The mark of the last clean run; `index` and `warnings` are the files it refers to. */
    mark: `${base}.clean.json`,
    index: `${base}.index.ndjson`,
    /** All articles of that run. */
    articles: `${base}.articles.ndjson`,
    warnings: `${base}.warnings.json`,
    lock: `${base}.lock`,
    /** The journal of an interrupted run. Each project has its own. */
    journal: join(journalFolder, `${name}-${digest(settings.project).slice(0, 8)}.ndjson`),
  }
}

/**
 * The name of a target's state: a digest of its normalised URL, keyed with the API key because one service may host
 * several knowledge bases. It does not reveal the key.
 */
export function targetIdentity(url: string, apiKey: string): string {
  return createHmac('sha256', apiKey).update(`kb-sync state\n${url}`).digest('hex').slice(0, 32)
}

/** Creates the error for a failed write under .kb, caused by the system's `error`. `end`: what has not happened. */
export function workspaceUnwritable(failure: string, error: unknown, end: string): KbError {
  const message = `${failure}: ${reasonOf(error)}. ${end}`
  return new KbError('WORKSPACE_UNWRITABLE', message, { hint: unwritableHint(error), cause: error })
}

function unwritableHint(error: unknown): string {
  if (isOutOfSpace(error))
    return 'Free some disk space, and run the command again: it continues where this run stopped.'
  return errorCodeOf(error) === 'ENOTDIR'
    ? 'There is a file in the place of a folder, such as .kb. Move it away, and run the command again.'
    : 'Make the .kb folder and its contents writable for this user, and run the command again.'
}
