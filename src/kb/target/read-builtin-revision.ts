import type { Settings } from '../../core/config/settings.ts'
import { readRevision } from '../../server/store/sqlite/read-revision.ts'

/**
 * Returns the built-in database's revision counter, or undefined if there is none. Loads nothing else of the server.
 */
export function readBuiltinRevision(settings: Settings): number | undefined {
  return readRevision(settings.server.db)
}
