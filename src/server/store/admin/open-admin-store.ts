import { ensureDefaultSite } from '../ensure-default-site.ts'
import { createQueryBuilder } from '../query-builder.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import type { AdminStore } from './admin-store.ts'
import { createCategoryAdmin } from './category-admin.ts'
import { createKeyAdmin } from './key-admin.ts'
import { createLanguageAdmin } from './language-admin.ts'
import { createLinkAdmin } from './link-admin.ts'
import { createSiteAdmin } from './site-admin.ts'
import { createTagAdmin } from './tag-admin.ts'
import { createUserAdmin } from './user-admin.ts'

export interface AdminStoreOptions {
  /** SQLite file; made where there is none. */
  readonly file: string
  /** Languages of the default site where the database has none yet, the default one first. */
  readonly languages: readonly string[]
  /** The present, ISO 8601. */
  readonly now: string
}

/**
 * Opens a database for administration; servers may be at work on it.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function openAdminStore({ file, languages, now }: AdminStoreOptions): Promise<AdminStore> {
  const database = openSqlite(file)
  const db = createQueryBuilder()
  const sites = createSiteAdmin(database, db)
  try {
    // The languages of a default site that exists are left to the next start of the server.
    if (!(await sites.list()).some(({ isDefault }) => isDefault)) {
      await ensureDefaultSite(database, db, { languages, now })
    }
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    sites,
    users: createUserAdmin(database, db),
    keys: createKeyAdmin(database, db),
    languages: createLanguageAdmin(database, db),
    categories: createCategoryAdmin(database, db),
    tags: createTagAdmin(database, db),
    links: createLinkAdmin(database, db),
    close: () => database.close(),
  }
}
