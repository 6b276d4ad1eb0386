import type { Kysely } from 'kysely'
import { ensureDefaultSite } from '../ensure-default-site.ts'
import { openDatabase } from '../open-store.ts'
import { ALL_SITES, defineQuery, type Database, type Session } from '../query.ts'
import { siteQueries } from '../site-queries.ts'
import type { LinkPage } from '../link-check-data.ts'
import { createLinkStore, type LinkStore } from '../link-store.ts'
import type { Tables } from '../tables.ts'
import type { StoredLinkRecord } from '../records.ts'
import { countItems, describeItems } from './count-items.ts'
import { createKeyAdmin } from './key-admin.ts'
import { itemExists, itemInUse, noSuchItem } from './refuse.ts'
import { createSiteAdmin } from './site-admin.ts'
import { createCategoryAdmin, createTagAdmin } from './taxon-admin.ts'
import { createUserAdmin } from './user-admin.ts'

interface AdminStoreOptions {
  /** SQLite file, which is created if missing, or the URL of a PostgreSQL database. */
  readonly db: string
  /** Languages of the default site for a new database, the default one first. */
  readonly languages: readonly string[]
  readonly articlePath?: string | undefined
  /** The current time, ISO 8601. */
  readonly now: string
}

/** Errors of its methods are KbError ITEM_UNKNOWN, ITEM_EXISTS or ITEM_IN_USE. */
export type AdminStore = Awaited<ReturnType<typeof openAdminStore>>

/**
 * Opens a database for administration, even while servers use it.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function openAdminStore({ db, languages, articlePath, now }: AdminStoreOptions) {
  const database = await openDatabase(db)
  const sites = createSiteAdmin(database)
  try {
    // If the default site exists, the next start of the server sets its languages.
    if (!(await sites.list()).some(({ isDefault }) => isDefault))
      await database.write(ALL_SITES, (session) => ensureDefaultSite(session, { languages, now }))
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    sites,
    users: createUserAdmin(database),
    keys: createKeyAdmin(database),
    languages: createLanguageAdmin(database),
    categories: createCategoryAdmin(database),
    tags: createTagAdmin(database),
    links: createLinkAdmin(database, createLinkStore(database, articlePath)),
    close: () => database.close(),
  }
}

export interface CheckedLinkRecord extends Omit<StoredLinkRecord, 'createdDate'> {
  readonly articleSlug: string
  /** True if it can be checked. Other links count as working. */
  readonly isCheckable: boolean
  /** Number of failed checks in a row. */
  readonly failures: number
  /** HTTP status of the last check; null without a response or a request. */
  readonly status: number | null
  /** The reason why the last check failed or could not be made, or ''. */
  readonly reason: string
  /** null before the first check. */
  readonly checkedDate: string | null
}

type PageOf = { readonly siteId: string; readonly after: number; readonly limit: number }

/** The links of a site with the results of their last checks. */
function createLinkAdmin(database: Database, links: Pick<LinkStore, 'catchUp'>) {
  /** The links of a site after the page's number, in the order of their numbers; `broken`: only broken ones. */
  async function list(siteId: string, page: LinkPage, which: 'all' | 'broken') {
    if (page.after === 0) await links.catchUp(siteId)
    const rows = await database.reader.all(checkedLinks[which], { siteId, ...page })
    return rows.map(({ working, target_id: target, reason, failures, ...row }) => ({
      ...row,
      // Links that were not checked yet count as working.
      working: working !== 0,
      isCheckable: target !== null,
      failures: failures ?? 0,
      reason: reason ?? '',
    }))
  }

  return { list }
}

const checkedLinks = {
  all: defineQuery((db, is: PageOf) => selectCheckedLinks(db, is)),
  broken: defineQuery((db, is: PageOf) => selectCheckedLinks(db, is).where('check.working', '=', 0)),
}

function selectCheckedLinks(db: Kysely<Tables>, is: PageOf) {
  return db
    .selectFrom('links as item')
    .innerJoin('articles as article', 'article.id', 'item.article_id')
    .leftJoin('link_targets as check', 'check.id', 'item.target_id')
    .select(['item.number', 'item.id', 'item.url', 'item.target_id', 'item.article_id as articleId'])
    .select(['article.name as articleName', 'article.slug as articleSlug'])
    .select(['check.working', 'check.failures', 'check.status', 'check.reason'])
    .select('check.checked_date as checkedDate')
    .where('item.site_id', '=', is.siteId)
    .where('item.number', '>', is.after)
    .orderBy('item.number')
    .limit(is.limit)
}

interface LanguageRecord {
  readonly code: string
  readonly isDefault: boolean
  readonly articles: number
  readonly categories: number
  readonly tags: number
}

/** The languages of a site. */
function createLanguageAdmin(database: Database) {
  async function codesOf(session: Session, siteId: string): Promise<string[]> {
    return (await session.all(siteQueries.languages, { siteId })).map(({ code }) => code)
  }

  async function list(session: Session, siteId: string): Promise<LanguageRecord[]> {
    const records: LanguageRecord[] = []
    for (const [index, code] of (await codesOf(session, siteId)).entries()) {
      const isDefault = index === 0
      const items = await countItems(session, siteId, isDefault ? '' : code)
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
    if (language.isDefault)
      throw itemInUse(`"${code}" is the default language.`, 'The first language of a site cannot be removed.')
    if (language.articles + language.categories + language.tags > 0) {
      throw itemInUse(
        `The language "${code}" is used by ${describeItems(language)}.`,
        'Delete them first, or keep the language.',
      )
    }
    await session.run(removeLanguage, { siteId, code })
  }

  return {
    list: (siteId: string) => list(database.reader, siteId),
    add: (siteId: string, code: string) =>
      database.write(siteId, async (session) => {
        const codes = await codesOf(session, siteId)
        const present = codes.find((each) => each.toLowerCase() === code.toLowerCase())
        if (present !== undefined) throw itemExists(`The language "${present}" is already enabled.`)
        await session.run(appendLanguage, { siteId, code })
      }),
    remove: (siteId: string, code: string) =>
      database.write(siteId, (session) => remove(session, siteId, code)),
  }
}

const appendLanguage = defineQuery((db, is: { siteId: string; code: string }) =>
  db
    .insertInto('languages')
    .columns(['site_id', 'code', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('languages')
        .select((of) => [
          of.val(is.siteId).as('site_id'),
          of.val(is.code).as('code'),
          of(of.fn.coalesce(of.fn.max('position'), of.lit(-1)), '+', of.lit(1)).as('position'),
        ])
        .where('site_id', '=', is.siteId),
    ),
)

const removeLanguage = defineQuery((db, is: { siteId: string; code: string }) =>
  db.deleteFrom('languages').where('site_id', '=', is.siteId).where('code', '=', is.code),
)
