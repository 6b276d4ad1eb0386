import { renameSync, rmSync, statSync, existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { checkDatabase, copyDatabase, flushToDisk, type DatabaseContents } from './check-database.ts'
import { errorCodeOf } from '../../../core/error-code.ts'

export interface Backup {
  readonly file: string
  readonly sizeBytes: number
  readonly contents: DatabaseContents
}

const UNFINISHED = '.unfinished-'

/**
 * Writes a backup of the database `file` to `target`, completely or not at all, while servers continue. Replaces a file
 * of that name. Until then it is called `<target>.unfinished-<process id>`. Removes such files of killed processes.
 *
 * @throws KbError BACKUP_UNWRITABLE
 */
export function backupSqlite(file: string, target: string): Backup {
  const temporary = `${target}${UNFINISHED}${process.pid}`
  try {
    sweepLeftovers(dirname(target), `${basename(target)}${UNFINISHED}`, /^(\d+)$/)
    copyDatabase(file, temporary)
    const contents = checkDatabase(temporary, 'quick')
    const { size } = statSync(temporary)
    renameSync(temporary, target)
    flushToDisk(dirname(target))
    return { file: target, sizeBytes: size, contents }
  } catch (error) {
    rmSync(temporary, { force: true })
    throw unwritable(target, error)
  }
}

function unwritable(target: string, cause: unknown): KbError {
  return new KbError(
    'BACKUP_UNWRITABLE',
    `The backup ${target} could not be written: ${reasonOf(cause)}. The database was not changed.`,
    {
      hint: 'Use a file in an existing, writable folder with enough space. If the database itself is damaged, move it away, and restore a backup.',
      cause,
    },
  )
}

/**
 * Removes the unfinished files of killed processes from `folder`.
 *
 * @param begin prefix of such files and folders
 * @param rest matches the rest of the name; its first group is the id of the process
 */
export function sweepLeftovers(folder: string, begin: string, rest: RegExp): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(begin) ? rest.exec(name.slice(begin.length))?.[1] : undefined
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCodeOf(error) === 'EPERM'
  }
}
