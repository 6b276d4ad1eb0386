import { resolve } from 'node:path'
import type { Settings } from '../core/config/settings.ts'
import { KbError } from '../core/errors/kb-error.ts'
import { pathKind } from '../core/paths.ts'

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The project that the functions of a `Kb` work on. */
export interface Project {
  /** Absolute path of the project folder. */
  readonly cwd: string
  /** Configuration file, relative to `cwd`; undefined: kb.config.ts there, if any. */
  readonly configFile: string | undefined
  readonly env: Environment
  /**
   * The configuration with all defaults. Read once in each call, and by a watch after each change.
   *
   * @param onFiles called with the files of the configuration, even if loading fails
   * @throws KbError USAGE (no such folder), CONFIG_UNREADABLE, CONFIG_INVALID
   */
  readonly loadSettings: (onFiles?: (files: readonly string[]) => void) => Promise<Settings>
}

/**
 * The database in `--db`, relative to `cwd`, else the one in the configuration.
 *
 * @throws KbError USAGE for a URL, DATABASE_UNUSABLE for a folder
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
