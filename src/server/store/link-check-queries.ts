import type { ExpressionBuilder, Kysely, NotNull } from 'kysely'
import type { LinkCheckResult } from './link-check-data.ts'
import { idOfTarget, isTarget } from './link-rows.ts'
import { defineQuery } from './query.ts'
import type { Tables } from './tables.ts'

export const linkCheckQueries = {
  linksAfter: defineQuery((db, is: { after: number; limit: number }) =>
    db
      .selectFrom('links')
      .innerJoin('articles', 'articles.id', 'links.article_id')
      .leftJoin('link_targets', 'link_targets.id', 'links.target_id')
      .select(['links.number', 'links.url', 'links.site_id as siteId', 'articles.slug'])
      .select(['links.target_id as targetId', 'link_targets.target'])
      .where('links.number', '>', is.after)
      .orderBy('links.number')
      .limit(is.limit),
  ),
  // The target was computed from the slug that was read, so it is valid only if the article still has that slug.
  retarget: defineQuery((db, is: { number: number; siteId: string; slug: string; target: string }, dialect) =>
    db
      .updateTable('links')
      .set({ target_id: idOfTarget(db, is.siteId, is.target, dialect) })
      .where('links.number', '=', is.number)
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
  unscheduled: defineQuery((db, is: { limit: number }) => unscheduled(db, is.limit)),
  schedule: defineQuery((db, is: { now: string; limit: number }) =>
    db
      .updateTable('link_targets')
      .set({ next_check_date: is.now })
      .where('id', 'in', unscheduled(db, is.limit)),
  ),
  // By site: there are few, and an index finds the due targets of each.
  dueSites: defineQuery((db, is: { now: string }) =>
    db
      .selectFrom('sites')
      .select('sites.id')
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('link_targets')
            .select('link_targets.id')
            .whereRef('link_targets.site_id', '=', 'sites.id')
            .where('link_targets.next_check_date', '<=', is.now),
        ),
      ),
  ),
  due: defineQuery((db, is: DueArguments) =>
    db
      .selectFrom('link_targets')
      .select(['target', 'working', 'failures', 'next_check_date'])
      .where('site_id', '=', is.siteId)
      .where('next_check_date', '<=', is.now)
      .where((eb) =>
        eb(eb.refTuple('next_check_date', 'target'), '>', eb.tuple(is.afterDate, is.afterTarget)),
      )
      .orderBy('next_check_date')
      .orderBy('target')
      .limit(is.limit)
      .$narrowType<{ next_check_date: NotNull }>(),
  ),
  nextDate: defineQuery((db, is: { now: string }) =>
    db
      .selectFrom('link_targets')
      .select('next_check_date')
      .where('next_check_date', '>', is.now)
      .orderBy('next_check_date')
      .limit(1)
      .$narrowType<{ next_check_date: NotNull }>(),
  ),
  claim: defineQuery((db, is: { siteId: string; target: string; now: string; until: string }, dialect) =>
    db
      .updateTable('link_targets')
      .set({ next_check_date: is.until })
      .where('site_id', '=', is.siteId)
      .where(isTarget(is.target, dialect))
      .where('next_check_date', '<=', is.now)
      .where((eb) => eb.exists(linksToIt(eb))),
  ),
  forget: defineQuery((db, is: { siteId: string; target: string }, dialect) =>
    db
      .deleteFrom('link_targets')
      .where('site_id', '=', is.siteId)
      .where(isTarget(is.target, dialect))
      .where((eb) => eb.not(eb.exists(linksToIt(eb)))),
  ),
  release: defineQuery(
    (db, is: { siteId: string; target: string; claimedUntil: string; now: string }, dialect) =>
      db
        .updateTable('link_targets')
        .set({ next_check_date: is.now })
        .where('site_id', '=', is.siteId)
        .where(isTarget(is.target, dialect))
        .where('next_check_date', '=', is.claimedUntil),
  ),
  record: defineQuery((db, is: RecordArguments, dialect) =>
    db
      .updateTable('link_targets')
      .set({
        working: is.working,
        failures: is.failures,
        status: is.status,
        reason: is.reason,
        checked_date: is.checkedDate,
        next_check_date: is.nextCheckDate,
      })
      .where('site_id', '=', is.siteId)
      .where(isTarget(is.target, dialect))
      .where('next_check_date', '=', is.claimedUntil),
  ),
  busyHosts: defineQuery((db, is: { siteId: string; now: string }) =>
    db
      .selectFrom('link_hosts')
      .select('host')
      .where('site_id', '=', is.siteId)
      .where('free_from', '>', is.now),
  ),
  forgetHosts: defineQuery((db, is: { siteId: string; now: string }) =>
    db.deleteFrom('link_hosts').where('site_id', '=', is.siteId).where('free_from', '<=', is.now),
  ),
  claimHost: defineQuery((db, is: { siteId: string; host: string; until: string }) =>
    db
      .insertInto('link_hosts')
      .values({ site_id: is.siteId, host: is.host, free_from: is.until })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  freeFrom: defineQuery((db, is: { siteId: string; host: string }) =>
    db
      .selectFrom('link_hosts')
      .select('free_from')
      .where('site_id', '=', is.siteId)
      .where('host', '=', is.host),
  ),
  freeHost: defineQuery((db, is: { siteId: string; host: string; claimedUntil: string; freeFrom: string }) =>
    db
      .updateTable('link_hosts')
      .set({ free_from: is.freeFrom })
      .where('site_id', '=', is.siteId)
      .where('host', '=', is.host)
      .where('free_from', '=', is.claimedUntil),
  ),
  // Slugs are indexed by language, so each language needs a query; '' is the default language.
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

type RecordArguments = Omit<LinkCheckResult, 'working'> & {
  readonly siteId: string
  readonly working: number
}

function unscheduled(db: Kysely<Tables>, limit: number) {
  return db.selectFrom('link_targets').select('id').where('next_check_date', 'is', null).limit(limit)
}

/** Selects the links to the target of the outer query. */
function linksToIt(eb: ExpressionBuilder<Tables, 'link_targets'>) {
  return eb.selectFrom('links').select('links.number').whereRef('links.target_id', '=', 'link_targets.id')
}
