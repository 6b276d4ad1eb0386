import { createArticleStore } from './article-store.ts'
import { createCategoryStore } from './category-store.ts'
import { ensureDefaultSite } from './ensure-default-site.ts'
import { createQueryBuilder } from './query-builder.ts'
import { createLinkCheckStore } from './link-check-store.ts'
import { createReaderStore } from './reader-store.ts'
import { createReportStore } from './report-store.ts'
import { createSeedStore } from './seed-store.ts'
import { createSiteStore } from './site-store.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Store } from './store.ts'
import { createTagStore } from './tag-store.ts'

export interface StoreOptions {
  /** SQLite file; made where there is none. */
  readonly file: string
  /** Languages of the default site, the default one first. */
  readonly languages: readonly string[]
  /** Most articles of a site that has no limit of its own. */
  readonly articleLimit: number
  /** The present, ISO 8601. */
  readonly now: string
}

/**
 * Opens the embedded store and makes its default site.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER; ITEM_IN_USE when the languages do not fit what is stored
 */
export async function openStore({ file, languages, articleLimit, now }: StoreOptions): Promise<Store> {
  const database = openSqlite(file)
  const db = createQueryBuilder()
  const defaultSiteId = await ensureDefaultSite(database, db, { languages, now }).catch(
    async (error: unknown) => {
      await database.close()
      throw error
    },
  )
  return {
    defaultSiteId,
    ...createSiteStore(database, db, articleLimit),
    ...createArticleStore(database, db, articleLimit),
    ...createCategoryStore(database, db),
    ...createTagStore(database, db),
    ...createReportStore(database, db),
    ...createLinkCheckStore(database, db),
    ...createReaderStore(database, db),
    ...createSeedStore(database, db),
    changeMark: () => database.changeMark(),
    ownRevisions: () => database.ownRevisions(),
    close: () => database.close(),
  }
}
