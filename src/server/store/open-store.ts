import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { createArticleStore } from './article-store.ts'
import { createCategoryStore } from './category-store.ts'
import { createReportStore } from './report-store.ts'
import { createSeedStore } from './seed-store.ts'
import { createSiteStore, ensureSite } from './site-store.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'
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
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function openStore({ file, languages, articleLimit, now }: StoreOptions): Promise<Store> {
  const database = openSqlite(file)
  const db = createBuilder()
  const defaultSiteId = await ensureSite(database, db, { name: 'default', languages, now })
  return {
    defaultSiteId,
    ...createSiteStore(database, db, articleLimit),
    ...createArticleStore(database, db, articleLimit),
    ...createCategoryStore(database, db),
    ...createTagStore(database, db),
    ...createReportStore(database, db),
    ...createSeedStore(database, db),
    changeMark: () => database.changeMark(),
    ownRevisions: () => database.ownRevisions(),
    close: () => database.close(),
  }
}

/** kysely writes the SQL here; sessions run it, so that a statement is prepared once and not at every call. */
function createBuilder(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}
