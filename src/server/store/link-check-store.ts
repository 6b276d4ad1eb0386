import type { DueLink, LinkCheckStore, LinkPage, ListedTargets, StoredLink } from './link-check-data.ts'
import { linkCheckQueries } from './link-check-queries.ts'
import type { Database, Session } from './query.ts'

/** Due links, claims on them, and results. */
export function createLinkCheckStore(database: Database): LinkCheckStore {
  const { reader } = database

  return {
    listLinkTargets: (...page) => listTargets(database, ...page),
    sitesWithDueLinks: async (now) =>
      (await reader.all(linkCheckQueries.dueSites, { now })).map(({ id }) => id),
    async dueLinks(siteId, now, after, limit) {
      const place = { afterDate: after.dueDate, afterTarget: after.target }
      const rows = await reader.all(linkCheckQueries.due, { siteId, now, ...place, limit })
      return rows.map((row): DueLink => ({
        target: row.target,
        working: row.working === 1,
        failures: row.failures,
        dueDate: row.next_check_date,
      }))
    },
    async nextLinkCheckDate(now) {
      return (await reader.first(linkCheckQueries.nextDate, { now }))?.next_check_date
    },
    claimLinks: (siteId, targets, now, until) =>
      database.writeWithoutRevision(async (session) => {
        const taken: string[] = []
        for (const target of targets) {
          if (await claim(session, { siteId, target, now, until })) taken.push(target)
        }
        return taken
      }),
    releaseLinks: (siteId, targets, claimedUntil, now) =>
      database.writeWithoutRevision(async (session) => {
        for (const target of targets) {
          await session.run(linkCheckQueries.release, { siteId, target, claimedUntil, now })
        }
      }),
    recordLinkChecks: (siteId, results) =>
      database.writeWithoutRevision(async (session) => {
        for (const result of results) {
          await session.run(linkCheckQueries.record, { siteId, ...result, working: result.working ? 1 : 0 })
        }
      }),
    async hasPublishedArticle(siteId, slug) {
      return (await reader.first(linkCheckQueries.publishedArticle, { siteId, slug })) !== undefined
    },
  }
}

async function claim(
  session: Session,
  due: { siteId: string; target: string; now: string; until: string },
): Promise<boolean> {
  const taken = await session.run(linkCheckQueries.claim, due)
  if (taken === 0) await session.run(linkCheckQueries.forget, { siteId: due.siteId, target: due.target })
  return taken > 0
}

async function listTargets(
  database: Database,
  { after, limit }: LinkPage,
  now: string,
  targetOf: (link: StoredLink) => string,
): Promise<ListedTargets> {
  const rows = await database.reader.all(linkCheckQueries.linksAfter, { after, limit })
  const moved: { id: string; slug: string; target: string }[] = []
  const unheard = new Map<string, { siteId: string; target: string }>()
  for (const { id, url, siteId, slug, ...stored } of rows) {
    const target = targetOf({ url, siteId, slug })
    const isMoved = target !== stored.target
    if (isMoved) moved.push({ id, slug, target })
    if (target !== '' && (isMoved || stored.listed === null)) {
      unheard.set(`${siteId} ${target}`, { siteId, target })
    }
  }
  if (moved.length + unheard.size > 0) {
    await database.writeWithoutRevision(async (session) => {
      for (const link of moved) await session.run(linkCheckQueries.retarget, link)
      for (const each of unheard.values()) await session.run(linkCheckQueries.insert, { ...each, now })
    })
  }
  return { lastId: rows.at(-1)?.id, more: rows.length === limit }
}
