import type { Kysely } from 'kysely'
import { defineQuery } from './query.ts'
import type { Tables } from './tables.ts'

/** The queries of the link checker. */
export const linkCheckQueries = {
  linksAfter: defineQuery((db, is: { after: string; limit: number }) =>
    db
      .selectFrom('links')
      .innerJoin('articles', 'articles.id', 'links.article_id')
      .leftJoin('link_checks', (join) =>
        join
          .onRef('link_checks.site_id', '=', 'links.site_id')
          .onRef('link_checks.target', '=', 'links.target'),
      )
      .select(['links.id', 'links.url', 'links.site_id as siteId', 'articles.slug'])
      .select(['links.target', 'link_checks.target as listed'])
      .where('links.id', '>', is.after)
      .orderBy('links.id')
      .limit(is.limit),
  ),
  // The target was computed from what was read, and is right only while the article still has that slug.
  retarget: defineQuery((db, is: { id: string; slug: string; target: string }) =>
    db
      .updateTable('links')
      .set({ target: is.target })
      .where('links.id', '=', is.id)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('articles')
            .select('articles.id')
            .whereRef('articles.id', '=', 'links.article_id')
            .where('articles.slug', '=', is.slug),
        ),
      ),
  ),
  insert: defineQuery((db, is: { siteId: string; target: string; now: string }) =>
    db
      .insertInto('link_checks')
      .values({
        site_id: is.siteId,
        target: is.target,
        working: 1,
        failures: 0,
        status: null,
        reason: '',
        checked_date: null,
        next_check_date: is.now,
      })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  // By site: there are few, and an index finds what is due in each.
  dueSites: defineQuery((db, is: { now: string }) =>
    db
      .selectFrom('sites')
      .select('sites.id')
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('link_checks')
            .select('link_checks.target')
            .whereRef('link_checks.site_id', '=', 'sites.id')
            .where('link_checks.next_check_date', '<=', is.now),
        ),
      ),
  ),
  due: defineQuery((db, is: DueArguments) =>
    db
      .selectFrom('link_checks')
      .select(['target', 'working', 'failures', 'next_check_date'])
      .where('site_id', '=', is.siteId)
      .where('next_check_date', '<=', is.now)
      .where((eb) =>
        eb(eb.refTuple('next_check_date', 'target'), '>', eb.tuple(is.afterDate, is.afterTarget)),
      )
      .orderBy('next_check_date')
      .orderBy('target')
      .limit(is.limit),
  ),
  nextDate: defineQuery((db, is: { now: string }) =>
    db
      .selectFrom('link_checks')
      .select('next_check_date')
      .where('next_check_date', '>', is.now)
      .orderBy('next_check_date')
      .limit(1),
  ),
  claim: defineQuery((db, is: { siteId: string; target: string; now: string; until: string }) =>
    db
      .updateTable('link_checks')
      .set({ next_check_date: is.until })
      .where('site_id', '=', is.siteId)
      .where('target', '=', is.target)
      .where('next_check_date', '<=', is.now)
      .where((eb) => eb.exists(linksOf(db, is))),
  ),
  forget: defineQuery((db, is: { siteId: string; target: string }) =>
    db
      .deleteFrom('link_checks')
      .where('site_id', '=', is.siteId)
      .where('target', '=', is.target)
      .where((eb) => eb.not(eb.exists(linksOf(db, is)))),
  ),
  release: defineQuery((db, is: { siteId: string; target: string; claimedUntil: string; now: string }) =>
    db
      .updateTable('link_checks')
      .set({ next_check_date: is.now })
      .where('site_id', '=', is.siteId)
      .where('target', '=', is.target)
      .where('next_check_date', '=', is.claimedUntil),
  ),
  record: defineQuery((db, is: RecordArguments) =>
    db
      .updateTable('link_checks')
      .set({
        working: is.working,
        failures: is.failures,
        status: is.status,
        reason: is.reason,
        checked_date: is.checkedDate,
        next_check_date: is.nextCheckDate,
      })
      .where('site_id', '=', is.siteId)
      .where('target', '=', is.target)
      .where('next_check_date', '=', is.claimedUntil),
  ),
  // Slugs are indexed by language, so that each language is a query; '' is the default language.
  publishedArticle: defineQuery((db, is: { siteId: string; slug: string }) => {
    const defaultLanguage = db.selectNoFrom((eb) => eb.val('').as('code'))
    const codes = db
      .selectFrom('languages')
      .select('languages.code')
      .where('languages.site_id', '=', is.siteId)
    return db
      .selectFrom('articles')
      .select('articles.id')
      .where('articles.site_id', '=', is.siteId)
      .where('articles.slug', '=', is.slug)
      .where('articles.status', '=', 'published')
      .where('articles.language', 'in', defaultLanguage.unionAll(codes))
      .limit(1)
  }),
}

interface DueArguments extends Readonly<Record<string, string | number>> {
  readonly siteId: string
  readonly now: string
  readonly afterDate: string
  readonly afterTarget: string
  readonly limit: number
}

interface RecordArguments extends Readonly<Record<string, string | number | null>> {
  readonly siteId: string
  readonly target: string
  readonly claimedUntil: string
  readonly working: number
  readonly failures: number
  readonly status: number | null
  readonly reason: string
  readonly checkedDate: string
  readonly nextCheckDate: string
}

function linksOf(db: Kysely<Tables>, is: { siteId: string; target: string }) {
  return db
    .selectFrom('links')
    .select('links.id')
    .where('links.site_id', '=', is.siteId)
    .where('links.target', '=', is.target)
}
