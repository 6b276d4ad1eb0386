import { groupBy } from '../../core/group-by.ts'
import { parseUrl } from '../../core/parse-url.ts'
import type { DueLink, LinkPage, StoredLink, DuePlace, LinkCheckResult } from './link-check-data.ts'
import { linkCheckQueries } from './link-check-queries.ts'
import type { LinkStore } from './link-store.ts'
import { addTargets, removeUnusedTargets } from './link-rows.ts'
import { ALL_SITES, type Database, type Session } from './query.ts'

export type LinkCheckStore = ReturnType<typeof createLinkCheckStore>

/**
 * The store of the link checker, which several processes can use on one database. Sites are separate: a target that two
 * of them have is due, claimed and recorded for each.
 */
export function createLinkCheckStore(database: Database, links: Pick<LinkStore, 'targetOf' | 'catchUpAll'>) {
  const { reader } = database

  return {
    ...createDueLists(reader),
    ...createHostClaims(database),
    /**
     * Sets the targets of a page of links to what `targetOf` returns ('' for none), if that differs.
     *
     * @returns the number after which the next page starts; undefined after the last page
     */
    async retargetLinks(
      page: LinkPage,
      targetOf = ({ url, ...article }: StoredLink) => links.targetOf(url, article),
    ) {
      if (page.after === 0) await links.catchUpAll()
      return retargetLinks(database, page, targetOf)
    },
    /** Schedules at most `limit` unscheduled targets. @returns true if there may be more */
    async scheduleTargets(now: string, limit: number) {
      await links.catchUpAll()
      if ((await reader.first(linkCheckQueries.unscheduled, { limit: 1 })) === undefined) return false
      const scheduled = await database.writeWithoutRevision(ALL_SITES, (session) =>
        session.run(linkCheckQueries.schedule, { now, limit }),
      )
      return scheduled === limit
    },
    /**
     * Claims the targets of a site that are still due, with their hosts, so that no other process checks them or requests
     * these hosts before `until`. The claim of a dead process expires. Deletes targets without links.
     *
     * @returns the claimed targets, without those whose host is not free
     */
    claimLinks: (siteId: string, targets: readonly string[], now: string, until: string) =>
      claimLinks(database, { siteId, now, until }, targets),
    /** Makes claimed targets due again, because their check was not completed. */
    releaseLinks: (siteId: string, targets: readonly string[], claimedUntil: string, now: string) =>
      database.writeWithoutRevision(siteId, async (session) => {
        for (const target of targets)
          await session.run(linkCheckQueries.release, { siteId, target, claimedUntil, now })
      }),
    recordLinkChecks: (siteId: string, results: readonly LinkCheckResult[]) =>
      database.writeWithoutRevision(siteId, async (session) => {
        for (const result of results)
          await session.run(linkCheckQueries.record, { siteId, ...result, working: result.working ? 1 : 0 })
      }),
    /** True if a site has a published article with this slug in any of its languages. */
    async hasPublishedArticle(siteId: string, slug: string) {
      return (await reader.first(linkCheckQueries.publishedArticle, { siteId, slug })) !== undefined
    },
  }
}

function createDueLists(reader: Session) {
  return {
    /** Ids of the sites with due targets. */
    sitesWithDueLinks: async (now: string) =>
      (await reader.all(linkCheckQueries.dueSites, { now })).map(({ id }) => id),
    /** Returns due targets of a site, the longest waiting first. */
    async dueLinks(siteId: string, now: string, after: DuePlace, limit: number) {
      const place = { afterDate: after.dueDate, afterTarget: after.target }
      const rows = await reader.all(linkCheckQueries.due, { siteId, now, ...place, limit })
      return rows.map((row): DueLink => ({
        target: row.target,
        working: row.working === 1,
        failures: row.failures,
        dueDate: row.next_check_date,
      }))
    },
    /** Returns the first date after `now` when a target of any site will be due. */
    async nextLinkCheckDate(now: string) {
      return (await reader.first(linkCheckQueries.nextDate, { now }))?.next_check_date
    },
  }
}

/** The hosts that processes request. */
function createHostClaims(database: Database) {
  return {
    /** Returns the hosts that a process requests, or that are paused. */
    busyHosts: async (siteId: string, now: string) =>
      (await database.reader.all(linkCheckQueries.busyHosts, { siteId, now })).map(({ host }) => host),
    /** Claims a host for requests. @returns the date when it will be free; undefined if it is claimed now */
    claimHost: (siteId: string, host: string, now: string, until: string) =>
      database.writeWithoutRevision(siteId, (session) => claimHost(session, { siteId, host, now, until })),
    /** Releases the claim on a host, which must not be requested before `freeFrom`. */
    freeHost: (siteId: string, host: string, claimedUntil: string, freeFrom: string) =>
      database.writeWithoutRevision(siteId, async (session) => {
        await session.run(linkCheckQueries.freeHost, { siteId, host, claimedUntil, freeFrom })
      }),
  }
}

/** Returns the host that a check of this target requests first; '' if it requests none. */
export function hostOfTarget(target: string): string {
  return parseUrl(target)?.hostname ?? ''
}

interface Claim {
  readonly siteId: string
  readonly now: string
  readonly until: string
}

async function claimLinks(database: Database, claim: Claim, targets: readonly string[]) {
  const { siteId, now, until } = claim
  return database.writeWithoutRevision(siteId, async (session) => {
    const taken: string[] = []
    for (const [host, ofHost] of groupBy(targets, hostOfTarget)) {
      if (host !== '' && (await claimHost(session, { ...claim, host })) !== undefined) continue
      const before = taken.length
      for (const target of ofHost) {
        if (await claimTarget(session, { ...claim, target })) taken.push(target)
      }
      if (host !== '' && taken.length === before)
        await session.run(linkCheckQueries.freeHost, { siteId, host, claimedUntil: until, freeFrom: now })
    }
    return taken
  })
}

async function claimHost(session: Session, { siteId, host, now, until }: Claim & { readonly host: string }) {
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
        await addTargets(session, siteId, [target])
        await session.send(linkCheckQueries.retarget, { number, siteId, slug, target })
        await removeUnusedTargets(session, [former])
      }
    })
  }
  return rows.length < limit ? undefined : rows.at(-1)?.number
}
