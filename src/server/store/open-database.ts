import { isDatabaseUrl } from '../../core/database-url.ts'
import type { Database } from './query.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

/**
 * Opens a SQLite file, or the PostgreSQL database of a URL. Its tables are created or migrated.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function openDatabase(db: string): Promise<Database> {
  if (!isDatabaseUrl(db)) return openSqlite(db)
  // Loaded on demand: only a server on PostgreSQL needs the driver.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(db)
}
