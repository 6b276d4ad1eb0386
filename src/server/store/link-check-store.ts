import { parseUrl } from '../../core/parse-url.ts'
import type { DueLink, LinkCheckStore, LinkPage, StoredLink } from './link-check-data.ts'
import { linkCheckQueries } from './link-check-queries.ts'
import { addTargets, removeUnusedTargets } from './link-rows.ts'
import { ALL_SITES, type Database, type Session } from './query.ts'

/** Finds due links, claims them, and stores results. */
export function createLinkCheckStore(database: Database): LinkCheckStore {
  const { reader } = database

  return {
    retargetLinks: (...page) => retargetLinks(database, ...page),
    async scheduleTargets(now, limit) {
      if ((await reader.first(linkCheckQueries.unscheduled, { limit: 1 })) === undefined) return false
      const scheduled = await database.writeWithoutRevision(ALL_SITES, (session) =>
        session.run(linkCheckQueries.schedule, { now, limit }),
      )
      return scheduled === limit
    },
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
    claimLinks: (...claim) => claimLinks(database, ...claim),
    releaseLinks: (siteId, targets, claimedUntil, now) =>
      database.writeWithoutRevision(siteId, async (session) => {
        for (const target of targets) {
          await session.run(linkCheckQueries.release, { siteId, target, claimedUntil, now })
        }
      }),
    recordLinkChecks: (siteId, results) =>
      database.writeWithoutRevision(siteId, async (session) => {
        for (const result of results) {
          await session.run(linkCheckQueries.record, { siteId, ...result, working: result.working ? 1 : 0 })
        }
      }),
    busyHosts: async (siteId, now) =>
      (await reader.all(linkCheckQueries.busyHosts, { siteId, now })).map(({ host }) => host),
    claimHost: (siteId, host, now, until) =>
      database.writeWithoutRevision(siteId, (session) => claimHost(session, { siteId, host, now, until })),
    freeHost: (siteId, host, claimedUntil, freeFrom) =>
      database.writeWithoutRevision(siteId, async (session) => {
        await session.run(linkCheckQueries.freeHost, { siteId, host, claimedUntil, freeFrom })
      }),
    async hasPublishedArticle(siteId, slug) {
      return (await reader.first(linkCheckQueries.publishedArticle, { siteId, slug })) !== undefined
    },
  }
}

/** Returns the host that a check of this target requests first; '' if it requests none. */
export function hostOfTarget(target: string): string {
  return parseUrl(target)?.hostname ?? ''
}

function byHost(targets: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const target of targets) {
    const host = hostOfTarget(target)
    groups.set(host, [...(groups.get(host) ?? []), target])
  }
  return groups
}

interface Claim {
  readonly siteId: string
  readonly now: string
  readonly until: string
}

async function claimLinks(
  database: Database,
  siteId: string,
  targets: readonly string[],
  now: string,
  until: string,
): Promise<readonly string[]> {
  const claim = { siteId, now, until }
  return database.writeWithoutRevision(siteId, async (session) => {
    const taken: string[] = []
    for (const [host, ofHost] of byHost(targets)) {
      if (host !== '' && (await claimHost(session, { ...claim, host })) !== undefined) continue
      const before = taken.length
      for (const target of ofHost) {
        if (await claimTarget(session, { ...claim, target })) taken.push(target)
      }
      if (host !== '' && taken.length === before) {
        await session.run(linkCheckQueries.freeHost, { siteId, host, claimedUntil: until, freeFrom: now })
      }
    }
    return taken
  })
}

async function claimHost(
  session: Session,
  { siteId, host, now, until }: Claim & { readonly host: string },
): Promise<string | undefined> {
  await session.run(linkCheckQueries.forgetHosts, { siteId, now })
  if ((await session.run(linkCheckQueries.claimHost, { siteId, host, until })) > 0) return undefined
  return (await session.first(linkCheckQueries.freeFrom, { siteId, host }))?.free_from
}

async function claimTarget(session: Session, due: Claim & { readonly target: string }): Promise<boolean> {
  const taken = await session.run(linkCheckQueries.claim, due)
  if (taken === 0) await session.run(linkCheckQueries.forget, { siteId: due.siteId, target: due.target })
  return taken > 0
}

async function retargetLinks(
  database: Database,
  { after, limit }: LinkPage,
  targetOf: (link: StoredLink) => string,
): Promise<number | undefined> {
  const rows = await database.reader.all(linkCheckQueries.linksAfter, { after, limit })
  const moved = rows.flatMap(({ number, url, siteId, slug, targetId, target: stored }) => {
    const target = targetOf({ url, siteId, slug })
    return target === (stored ?? '') ? [] : [{ number, siteId, slug, target, targetId }]
  })
  if (moved.length > 0) {
    await database.writeWithoutRevision(ALL_SITES, async (session) => {
      for (const { number, siteId, slug, target, targetId: former } of moved) {
        const ids = await addTargets(session, siteId, [target])
        const targetId = ids.get(target.toWellFormed()) ?? null
        await session.run(linkCheckQueries.retarget, { number, slug, targetId })
        await removeUnusedTargets(session, [former])
      }
    })
  }
  return rows.length < limit ? undefined : rows.at(-1)?.number
}
