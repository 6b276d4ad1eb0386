import { inspectDatabase } from '../../server/store/sqlite/inspect-database.ts'

/**
 * What is in a database of the built-in server, which is left alone.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export function inspectBuiltinDatabase(file: string): ReturnType<typeof inspectDatabase> {
  return inspectDatabase(file)
}
