import { isDatabaseUrl } from '../../core/database-url.ts'
import { type DefaultSiteReport, inspectDatabase } from '../../server/store/sqlite/inspect-database.ts'

/**
 * Inspects a database of the built-in server without changing it. Returns undefined if it has no tables yet.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function inspectBuiltinDatabase(db: string): Promise<DefaultSiteReport | undefined> {
  if (!isDatabaseUrl(db)) return inspectDatabase(db)
  const { inspectPostgres } = await import('../../server/store/postgres/open-postgres.ts')
  return inspectPostgres(db)
}
