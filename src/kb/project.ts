import { resolve } from 'node:path'
import type { Settings } from '../core/config/settings.ts'
import { KbError } from '../core/errors/kb-error.ts'
import { isDatabaseUrl, withoutCredentials } from '../core/database-url.ts'
import { pathKind } from '../core/paths.ts'

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The project that the functions of a `Kb` operate on. */
export interface Project {
  /** Absolute path of the project folder. */
  readonly cwd: string
  /** Configuration file, relative to `cwd`. Undefined: kb.config.ts there, if it exists. */
  readonly configFile: string | undefined
  readonly env: Environment
  /**
   * Returns the configuration with all defaults and the database from KB_DB. Called once per command, and by a watch
   * after each change.
   *
   * @param onFiles called with the files of the configuration, even if loading fails
   * @throws KbError USAGE (no such folder), CONFIG_UNREADABLE, CONFIG_INVALID, DATABASE_UNUSABLE
   */
  readonly loadSettings: (onFiles?: (files: readonly string[]) => void) => Promise<Settings>
}

/**
 * Returns the database in `--db` or KB_DB, a file relative to `cwd` or a URL, else the one in the configuration.
 *
 * @throws KbError USAGE for a URL of another kind, DATABASE_UNUSABLE for a folder
 */
export function databaseOf(db: string | undefined, cwd: string, settings: Settings): string {
  const named = db ?? settings.server.db
  if (isDatabaseUrl(named)) return named
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(named)) return notAFolder(resolve(cwd, named))
  throw new KbError(
    'USAGE',
    `The database is a SQLite file or a postgres:// URL, not ${withoutCredentials(named)}`,
    { hint: 'Name a file, such as .kb/kb.db, or the URL of a PostgreSQL database.' },
  )
}

function notAFolder(file: string): string {
  if (pathKind(file) !== 'folder') return file
  throw new KbError('DATABASE_UNUSABLE', `The database ${file} is a folder.`, {
    hint: 'Name a file in it, such as kb.db.',
  })
}
