// Opens the server's database for its operator, without HTTP.
import { createApiKey, hashApiKey, keyIdOf, rotateApiKey } from './api-key.ts'
import { openAdminStore, type AdminStore } from './store/admin/open-admin-store.ts'
import { assertExists } from './backup-and-copy.ts'
import { DEFAULT_SITE } from './store/ensure-default-site.ts'

export { DEFAULT_SITE, rotateApiKey }

interface AdministrationOptions {
  /** SQLite file, or the URL of a PostgreSQL database. */
  readonly db: string
  /** Languages of the default site, if it is created. */
  readonly languages: readonly string[]
  /** Path of an article on the site, with `{slug}`. */
  readonly articlePath?: string | undefined
  /** True to create a missing file. */
  readonly mayCreate: boolean
  readonly now: string
}

/** @throws KbError DATABASE_MISSING, DATABASE_UNUSABLE, DATABASE_NEWER, DATABASE_BUSY */
export async function openAdministration(options: AdministrationOptions): Promise<AdminStore> {
  if (!options.mayCreate) assertExists(options.db)
  return openAdminStore(options)
}

/** Creates an API key for a site: the key, its hash for storage, and its id. */
export function issueKey(siteId: string) {
  const key = createApiKey(siteId)
  const hash = hashApiKey(key)
  return { key, hash, id: keyIdOf(hash) }
}
