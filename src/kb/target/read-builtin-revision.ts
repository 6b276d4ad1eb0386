import type { Settings } from '../../core/config/settings.ts'
import { readRevision } from '../../server/store/sqlite/read-revision.ts'

/**
 * The revision counter of the built-in database; undefined if there is no database. Loads nothing else of the server.
 */
export function readBuiltinRevision(settings: Settings): number | undefined {
  return readRevision(settings.server.db)
}
