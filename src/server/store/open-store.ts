import { createArticleStore } from './article-store.ts'
import { categoryQueries, type TaxonRow, taxonQueries } from './taxon-queries.ts'
import { createChangeStore } from './change-store.ts'
import { creatorOf, createReportStore } from './report-store.ts'
import { ensureDefaultSite } from './ensure-default-site.ts'
import { createFileStore } from './file-store.ts'
import { createGuardStore } from './guard-store.ts'
import { createLinkCheckStore } from './link-check-store.ts'
import { createLinkStore } from './link-store.ts'
import { createReaderStore } from './reader-store.ts'
import { createSearchStore } from './search-store.ts'
import { insertSeed, type Seed } from './seed-store.ts'
import { ALL_SITES, type Database } from './query.ts'
import { siteQueries } from './site-queries.ts'
import type { CategoryRecord, Page, ReadOutcome, TagRecord, CategoryChange, TaxonChange } from './records.ts'
import { changeCategory, changeTag, findTaxonIn } from './update-taxon.ts'
import { isDatabaseUrl } from '../../core/database-url.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

export interface StoreOptions {
  /** SQLite file, which is created if missing, or the URL of a PostgreSQL database. */
  readonly db: string
  /** Languages of the default site, the default one first. */
  readonly languages: readonly string[]
  /** Maximum number of articles of a site without its own limit. */
  readonly articleLimit: number
  /** Path of an article on the site, with `{slug}`, by which relative links lead to articles. */
  readonly articlePath?: string | undefined
  /** The current time, ISO 8601. */
  readonly now: string
}

/** The store. All methods may throw errors of the database; rejections caused by the caller are outcomes. */
export type Store = Awaited<ReturnType<typeof openStore>>

/**
 * Opens the store and creates its default site.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER; ITEM_IN_USE if the languages contradict the stored items
 */
export async function openStore({ db, languages, articleLimit, articlePath, now }: StoreOptions) {
  const database = await openDatabase(db)
  const defaultSiteId = await database
    .write(ALL_SITES, (session) => ensureDefaultSite(session, { languages, now }))
    .catch(async (error: unknown) => {
      await database.close()
      throw error
    })
  const links = createLinkStore(database, articlePath)
  return {
    /** The site of outside keys and of commands without a site. */
    defaultSiteId,
    /** Number of migrations that were applied to its tables. */
    schemaVersion: database.schemaVersion,
    ...createSiteStore(database, articleLimit),
    ...createArticleStore(database, articleLimit),
    ...createCategoryStore(database),
    ...createTagStore(database),
    ...createReportStore(database, links),
    ...createFileStore(database),
    ...createChangeStore(database),
    ...createGuardStore(database),
    ...createLinkCheckStore(database, links),
    ...createReaderStore(database, links),
    ...createSearchStore(database),
    /** Creates missing categories and tags without changing existing ones. */
    seed: (siteId: string, items: Seed, at: string) =>
      database.write(siteId, (session) => insertSeed(session, siteId, items, at)),
    /** Increases with every transaction that changes a site (the default one), except results of link checks. */
    revision: (siteId: string = defaultSiteId) => database.revision(siteId),
    /**
     * Changes at once after a commit of this process, and at once or very soon after one of another process. Costs almost
     * nothing.
     */
    changeMark: () => database.changeMark(),
    /** The same, but at once for all processes; undefined if that needs a query. */
    exactMark: () => database.exactMark(),
    /** Writes without making a change. @throws if articles cannot be written now */
    assertWritable: () => database.assertWritable(),
    /** Number of times that this process has raised the revision. Any further increase is from other processes. */
    ownRevisions: () => database.ownRevisions(),
    /** Derives the links of articles that have changed, of all sites. */
    catchUpLinks: () => links.catchUpAll(),
    /** Leaves links that are not derived yet to the next process. */
    leaveLinks: () => links.close(),
    async close() {
      await links.close()
      await database.close()
    },
  }
}

/** Sites, and their keys. */
function createSiteStore(database: Database, articleLimit: number) {
  const { reader } = database
  return {
    /** Returns the record of a key that is neither revoked nor expired. */
    async findApiKey(hash: string, now: string) {
      const row = await reader.first(siteQueries.keyByHash, { hash, now })
      if (row === undefined) return undefined
      const { site_id: siteId, user_id: userId, expires_at: expiresAt } = row
      return { siteId, userId, readOnly: row.read_only === 1, expiresAt }
    },
    /** Returns the id of a site; undefined if there is none of this name. */
    findSite: async (name: string) => (await reader.first(siteQueries.siteByName, { name }))?.id,
    async siteSettings(siteId: string) {
      const languages = await reader.all(siteQueries.languages, { siteId })
      const site = await reader.first(siteQueries.articles, { siteId })
      return {
        languages: languages.map(({ code }) => code),
        articleLimit: site?.article_limit ?? articleLimit,
      }
    },
  }
}

/** Listing and updating categories. */
function createCategoryStore(database: Database) {
  async function listCategories(siteId: string, page: Page): Promise<CategoryRecord[]> {
    const rows = await database.reader.all(categoryQueries.page, { siteId, ...page })
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) return []
    const translations = await database.reader.all(categoryQueries.translations, {
      siteId,
      from: first.id,
      to: last.id,
    })
    const languages = new Map<string | null, string[]>(rows.map(({ id }) => [id, []]))
    for (const { originalId, language } of translations) languages.get(originalId)?.push(language)
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      order: row.order_by,
      parentName: row.parentName ?? '',
      translations: languages.get(row.id) ?? [],
      latest:
        row.latestId === null || row.latestDate === null
          ? undefined
          : { id: row.latestId, addedDate: row.latestDate },
      creator: creatorOf(row),
    }))
  }

  return {
    listCategories,
    updateCategory: (siteId: string, id: string, change: CategoryChange) =>
      database.write(siteId, (session) => changeCategory(session, { siteId, id }, change)),
  }
}

/** Reading and updating tags. */
function createTagStore(database: Database) {
  /** @param language code of the requested translation; undefined for the tag itself */
  async function readTag(siteId: string, id: string, code?: string): Promise<ReadOutcome<TagRecord>> {
    const { reader } = database
    const row = await reader.first(taxonQueries.tags.byId, { siteId, id })
    if (row === undefined) return { kind: 'unknown' }
    if (code === undefined) return { kind: 'found', record: toRecord(row), isCopy: false }
    const codes = (await reader.all(siteQueries.languages, { siteId })).map((each) => each.code)
    if (!codes.includes(code)) return { kind: 'unknown-language', languages: codes }
    const language = code === codes[0] ? '' : code
    const present = await findTaxonIn(reader, 'tags', row, language)
    if (present !== undefined) return { kind: 'found', record: toRecord(present), isCopy: false }
    const originalId = row.language_parent ?? row.id
    const original = (await reader.first(taxonQueries.tags.byId, { siteId, id: originalId })) ?? row
    const copy = { ...original, language, language_parent: originalId }
    return { kind: 'found', record: toRecord(copy), isCopy: true }
  }

  return {
    readTag,
    updateTag: (siteId: string, id: string, change: TaxonChange) =>
      database.write(siteId, (session) => changeTag(session, { siteId, id }, change)),
  }
}

function toRecord(row: TaxonRow): TagRecord {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    longDescription: row.long_description,
    language: row.language === '' ? null : row.language,
    languageParent: row.language_parent,
  }
}

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
