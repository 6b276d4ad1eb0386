import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KbError, reasonOf } from '../errors/kb-error.ts'
import { unwritableHint } from '../errors/unwritable-hint.ts'

/** The places under .kb/. `state` and `cache` are disposable; database, journal and backups are not. */
export interface Workspace {
  readonly folder: string
  readonly cacheFile: string
  readonly stateFolder: string
  readonly backupFolder: string
  readonly journalFolder: string
  readonly apiKeyFile: string
}

export function workspaceOf(root: string): Workspace {
  const folder = join(root, '.kb')
  return {
    folder,
    cacheFile: join(folder, 'cache', 'rendered.db'),
    stateFolder: join(folder, 'state'),
    backupFolder: join(folder, 'backups'),
    journalFolder: join(folder, 'journal'),
    apiKeyFile: join(folder, 'api-key'),
  }
}

/**
 * Makes .kb/ with a .gitignore of its own, so that neither database nor keys end up in git.
 *
 * @throws KbError WORKSPACE_UNWRITABLE
 */
export function prepareWorkspace(workspace: Workspace): void {
  const ignore = join(workspace.folder, '.gitignore')
  try {
    mkdirSync(workspace.stateFolder, { recursive: true })
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  } catch (error) {
    throw new KbError(
      'WORKSPACE_UNWRITABLE',
      `The folder ${workspace.folder} cannot be written: ${reasonOf(error)}. Nothing was sent.`,
      {
        hint: unwritableHint(error),
        cause: error,
      },
    )
  }
}
