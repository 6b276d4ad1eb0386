import { resolve } from 'node:path'
import type { Settings } from '../core/config/settings.ts'
import { KbError } from '../core/errors/kb-error.ts'
import { pathKind } from '../core/path-kind.ts'

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What every function of a `Kb` works on. */
export interface Project {
  /** Absolute path of the project's folder. */
  readonly cwd: string
  /** Configuration file, relative to `cwd`; undefined: kb.config.ts there, if any. */
  readonly configFile: string | undefined
  readonly env: Environment
  /**
   * The configuration with all defaults filled in. Asked once in each call, and by a watch whenever it was changed.
   *
   * @param onFiles is told the files that it consists of, whether or not they could be loaded
   * @throws KbError USAGE (no such folder), CONFIG_UNREADABLE, CONFIG_INVALID
   */
  readonly loadSettings: (onFiles?: (files: readonly string[]) => void) => Promise<Settings>
}

/**
 * The database that `--db` names, relative to `cwd`, or that of the configuration.
 *
 * @throws KbError USAGE for an address, DATABASE_UNUSABLE for a folder
 */
export function databaseFile(db: string | undefined, cwd: string, settings: Settings): string {
  if (db === undefined) return notAFolder(settings.server.db)
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(db)) return notAFolder(resolve(cwd, db))
  throw new KbError('USAGE', `--db takes a file, not a URL: ${db.replace(/\/\/[^@/]*@/, '//…@')}`, {
    hint: 'The built-in server stores its articles in a SQLite file.',
  })
}

function notAFolder(file: string): string {
  if (pathKind(file) !== 'folder') return file
  throw new KbError('DATABASE_UNUSABLE', `The database ${file} is a folder.`, {
    hint: 'Name a file in it, such as kb.db.',
  })
}
