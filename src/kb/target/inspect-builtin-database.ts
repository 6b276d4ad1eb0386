import { inspectDatabase } from '../../server/store/sqlite/inspect-database.ts'

/**
 * Inspects a database of the built-in server without changing it.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export function inspectBuiltinDatabase(file: string): ReturnType<typeof inspectDatabase> {
  return inspectDatabase(file)
}
