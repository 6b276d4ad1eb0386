import type { Kysely } from 'kysely'
import { ensureDefaultSite } from '../ensure-default-site.ts'
import { prepareQuery } from '../prepared-query.ts'
import { createQueryBuilder } from '../query-builder.ts'
import type { Database, Session } from '../session.ts'
import { siteQueries } from '../site-queries.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import type { Page } from '../store.ts'
import type { Tables } from '../tables.ts'
import { taxonQueries } from '../taxon-queries.ts'
import { toUpdateOutcome, updateTaxon } from '../update-taxon.ts'
import type {
  AdminStore,
  NewTaxon,
  TagAdmin,
  TaxonEdit,
  CheckedLinkRecord,
  LinkAdmin,
  LanguageAdmin,
  LanguageRecord,
} from './admin-store.ts'
import { createCategoryAdmin } from './category-admin.ts'
import { countItems, describeItems } from './count-items.ts'
import { createKeyAdmin } from './key-admin.ts'
import { languageQueries } from './language-queries.ts'
import { itemExists, itemInUse, noSuchItem } from './refuse.ts'
import { createSiteAdmin } from './site-admin.ts'
import { assertUpdated, createTaxonAdministration } from './taxon-admin.ts'
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

/** The tags of a site. */
function createTagAdmin(database: Database, db: Kysely<Tables>): TagAdmin {
  const taxa = createTaxonAdministration(db, 'tags')
  const queries = { ...taxonQueries(db, 'tags'), languages: siteQueries(db).languages }

  async function add(session: Session, siteId: string, tag: NewTaxon): Promise<string> {
    taxa.assertNameFree(tag.name, await taxa.list(session, siteId))
    return taxa.insert(session, siteId, tag)
  }

  async function update(session: Session, siteId: string, id: string, change: TaxonEdit): Promise<void> {
    const item = await taxa.find(session, siteId, id)
    const { name = item.name, slug = item.slug, description, now } = change
    if (name !== item.name) {
      const others = (await taxa.list(session, siteId)).filter((each) => each.id !== id)
      taxa.assertNameFree(name, others)
    }
    const language = await taxa.defaultLanguage(session, siteId)
    const text = { name, slug, description, longDescription: undefined }
    const saved = await updateTaxon(session, queries, siteId, id, { ...text, language, editedBy: null, now })
    assertUpdated(toUpdateOutcome(saved), 'tag', id, slug)
  }

  return {
    list: (siteId) => taxa.list(database.reader, siteId),
    add: (siteId, tag) => database.write((session) => add(session, siteId, tag)),
    update: (siteId, id, change) => database.write((session) => update(session, siteId, id, change)),
    remove: (siteId, id) => database.write((session) => taxa.remove(session, siteId, id)),
  }
}

interface PageOf extends Page {
  readonly siteId: string
}

/** The links of a site with what their last checks met. */
function createLinkAdmin(database: Database, db: Kysely<Tables>): LinkAdmin {
  const queries = {
    all: prepareQuery((is: { siteId: string; after: string; limit: number }) => checkedLinks(db, is)),
    broken: prepareQuery((is: { siteId: string; after: string; limit: number }) =>
      checkedLinks(db, is).where('check.working', '=', 0),
    ),
  }

  async function list(
    siteId: string,
    page: Page,
    which: 'all' | 'broken',
  ): Promise<readonly CheckedLinkRecord[]> {
    const rows = await database.reader.all(queries[which], { siteId, ...page })
    return rows.map(({ working, target, reason, failures, ...row }) => ({
      ...row,
      // What was not checked yet works.
      working: working !== 0,
      isCheckable: target !== '',
      failures: failures ?? 0,
      reason: reason ?? '',
    }))
  }

  return { list }
}

function checkedLinks(db: Kysely<Tables>, is: PageOf) {
  return db
    .selectFrom('links as item')
    .innerJoin('articles as article', 'article.id', 'item.article_id')
    .leftJoin('link_checks as check', (join) =>
      join.onRef('check.site_id', '=', 'item.site_id').onRef('check.target', '=', 'item.target'),
    )
    .select(['item.id', 'item.url', 'item.target', 'item.article_id as articleId'])
    .select(['article.name as articleName', 'article.slug as articleSlug'])
    .select(['check.working', 'check.failures', 'check.status', 'check.reason'])
    .select('check.checked_date as checkedDate')
    .where('item.site_id', '=', is.siteId)
    .where('item.id', '>', is.after)
    .orderBy('item.id')
    .limit(is.limit)
}

/** The languages of a site. */
function createLanguageAdmin(database: Database, db: Kysely<Tables>): LanguageAdmin {
  const queries = { ...siteQueries(db), ...languageQueries(db) }

  async function codesOf(session: Session, siteId: string): Promise<string[]> {
    return (await session.all(queries.languages, { siteId })).map(({ code }) => code)
  }

  async function list(session: Session, siteId: string): Promise<LanguageRecord[]> {
    const records: LanguageRecord[] = []
    for (const [index, code] of (await codesOf(session, siteId)).entries()) {
      const isDefault = index === 0
      const items = await countItems(session, queries, siteId, isDefault ? '' : code)
      records.push({ code, isDefault, ...items })
    }
    return records
  }

  async function remove(session: Session, siteId: string, code: string): Promise<void> {
    const languages = await list(session, siteId)
    const language = languages.find((each) => each.code === code)
    if (language === undefined) {
      throw noSuchItem(
        'language',
        code,
        languages.map((each) => each.code),
      )
    }
    if (language.isDefault) {
      throw itemInUse(`"${code}" is the default language.`, 'The first language of the site stays.')
    }
    if (language.articles + language.categories + language.tags > 0) {
      throw itemInUse(
        `The language "${code}" is used by ${describeItems(language)}.`,
        'Delete these first, or keep the language.',
      )
    }
    await session.run(queries.removeLanguage, { siteId, code })
  }

  return {
    list: (siteId) => list(database.reader, siteId),
    add: (siteId, code) =>
      database.write(async (session) => {
        const codes = await codesOf(session, siteId)
        const present = codes.find((each) => each.toLowerCase() === code.toLowerCase())
        if (present !== undefined) throw itemExists(`The language "${present}" is already enabled.`)
        await session.run(queries.appendLanguage, { siteId, code })
      }),
    remove: (siteId, code) => database.write((session) => remove(session, siteId, code)),
  }
}
