import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'
import { KbError } from '../../../core/errors/kb-error.ts'
import { assertWhole, openReadOnly } from './check-database.ts'
import { DEFAULT_SITE } from '../ensure-default-site.ts'
import { MIGRATIONS } from './migrations.ts'
import { assertDatabase, unusable } from './open-sqlite.ts'

export interface DefaultSiteReport {
  readonly articles: number
  /** Undefined if the limit of the configuration applies. */
  readonly articleLimit: number | undefined
  readonly languages: readonly string[]
}

/**
 * Checks that `file` is a complete database of kb-sync, and counts the contents of its default site. Writes nothing,
 * not even the files that SQLite creates beside an open database.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export function inspectDatabase(file: string): DefaultSiteReport {
  let connection: Libsql.Database | undefined
  try {
    assertDatabase(file)
    connection = open(file)
    assertKnown(connection, file)
    assertWhole(connection, 'quick')
    return readDefaultSite(connection)
  } catch (error) {
    throw error instanceof KbError ? error : unusable(file, error)
  } finally {
    connection?.close()
  }
}

/** Opens a database. If no process has it open, its log is empty, so that it can be read as an immutable file. */
function open(file: string): Libsql.Database {
  const logBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return logBytes > 0 ? openReadOnly(file) : new Libsql(`${pathToFileURL(file).href}?mode=ro&immutable=1`)
}

function assertKnown(connection: Libsql.Database, file: string): void {
  const { user_version: version } = connection.prepare('pragma user_version').get() as {
    user_version: number
  }
  if (version === 0) throw new Error('it is the database of another program')
  if (version <= MIGRATIONS.length) return
  throw new KbError(
    'DATABASE_NEWER',
    `The database ${file} has schema version ${version}; this program knows up to ${MIGRATIONS.length}.`,
    { hint: 'Install the newest kb-sync.' },
  )
}

/** Supports any schema version. Older ones have no limit. */
function readDefaultSite(connection: Libsql.Database): DefaultSiteReport {
  const site = connection.prepare('select * from sites where name = ?').get(DEFAULT_SITE) as
    | { id: string; article_count: number; article_limit?: number | null }
    | undefined
  if (site === undefined) return { articles: 0, articleLimit: undefined, languages: [] }
  const codes = connection.prepare('select code from languages where site_id = ? order by position')
  return {
    articles: site.article_count,
    articleLimit: site.article_limit ?? undefined,
    languages: (codes.all(site.id) as { code: string }[]).map(({ code }) => code),
  }
}
