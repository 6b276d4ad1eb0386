import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../../../core/errors/kb-error.ts'
import { workspaceOf } from '../../../sync/state/workspace.ts'
import { failure, type Finding, guarded, ok, skipped, unknown, warning } from '../finding.ts'

/** Less than this is soon full: state, cache and backups are written here. */
const LITTLE_SPACE_BYTES = 200_000_000

/** The folder .kb/ of a project, looked at from outside: nothing is written to learn whether it could be. */
export async function checkWorkspace(root: string, platform: NodeJS.Platform): Promise<Finding[]> {
  return [
    guarded('workspace.folder', () => checkFolder(root)),
    guarded('workspace.ignored', () => checkIgnored(root)),
    await checkSpace(root),
    guarded('workspace.key-file', () => checkKeyFile(root, platform)),
  ].flat()
}

function checkFolder(root: string): Finding {
  const { folder, stateFolder } = workspaceOf(root)
  if (!existsSync(folder)) {
    return mayWrite(root)
      ? ok('workspace.folder', 'there is no .kb yet; the first run makes it')
      : failure(
          'workspace.folder',
          `The folder ${root} may not be written.`,
          'Make it writable, or run kb in a copy.',
        )
  }
  const wrong = [folder, stateFolder].find((path) => existsSync(path) && !isWritableFolder(path))
  return wrong === undefined
    ? ok('workspace.folder', '.kb may be written')
    : failure(
        'workspace.folder',
        `${wrong} is no folder that may be written.`,
        'Make it a folder of your own.',
      )
}

function isWritableFolder(path: string): boolean {
  return statSync(path).isDirectory() && mayWrite(path)
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function checkIgnored(root: string): Finding {
  const { folder } = workspaceOf(root)
  if (!existsSync(folder)) return skipped('workspace.ignored', 'there is no .kb yet')
  return existsSync(join(folder, '.gitignore'))
    ? ok('workspace.ignored', '.kb is kept out of git by a .gitignore of its own')
    : warning(
        'workspace.ignored',
        '.kb has no .gitignore of its own, so its database and keys may end up in git.',
        'The next kb sync writes one.',
      )
}

async function checkSpace(root: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(root)
    return judgeSpace(bavail * bsize)
  } catch (error) {
    return unknown('workspace.space', `free disk space is not known: ${reasonOf(error)}`)
  }
}

export function judgeSpace(freeBytes: number): Finding {
  const message = `${formatBytes(freeBytes)} of disk space are free`
  return freeBytes >= LITTLE_SPACE_BYTES
    ? ok('workspace.space', message)
    : warning('workspace.space', `Only ${message}.`, 'Free some: a full disk stops a sync half-way.')
}

function formatBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.floor(bytes / 1e6)} MB`
}

/** Windows has no such modes. */
function checkKeyFile(root: string, platform: NodeJS.Platform): Finding[] {
  const { apiKeyFile } = workspaceOf(root)
  if (!existsSync(apiKeyFile) || platform === 'win32') return []
  const { mode } = statSync(apiKeyFile)
  if ((mode & 0o077) === 0) return [ok('workspace.key-file', '.kb/api-key is for its owner only')]
  return [
    warning(
      'workspace.key-file',
      `.kb/api-key may be read by other users (mode ${(mode & 0o777).toString(8)}).`,
      'chmod 600 .kb/api-key',
    ),
  ]
}
