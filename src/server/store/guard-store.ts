// Data that servers on one database share to control access: sessions, and numbers of attempts.
import { type Database, defineQuery, NO_SITE, type Session } from './query.ts'

export interface SessionRecord {
  /** SHA-256 of the token in the browser. */
  readonly hash: string
  readonly siteId: string
  /** Name of the key that began the session. */
  readonly name: string
  readonly endsDate: string
}

export type GuardStore = ReturnType<typeof createGuardStore>

const FORGET_EVERY_MS = 60_000

/** Times are ISO 8601 in UTC. */
export function createGuardStore(database: Database) {
  const { reader } = database
  const write = <Value>(work: (session: Session) => Promise<Value>) =>
    database.writeWithoutRevision(NO_SITE, work)
  let forgottenMs = Number.NEGATIVE_INFINITY

  async function forgetQuotas(now: string): Promise<void> {
    const nowMs = Date.parse(now)
    if (Math.abs(nowMs - forgottenMs) < FORGET_EVERY_MS) return
    forgottenMs = nowMs
    await write((session) => session.run(queries.forgetQuotas, { now }))
  }

  return {
    /**
     * Takes `count` of a quota, and returns the part that all servers together have taken until its window ends.
     *
     * @param endsDate end of the window, if this begins one
     */
    async takeQuota(key: string, count: number, now: string, endsDate: string) {
      const taken = await write(async (session) => {
        await session.run(queries.takeQuota, { key, count, now, endsDate })
        return session.first(queries.quota, { key, now })
      })
      // Another server may do the same.
      forgetQuotas(now).catch(() => undefined)
      return taken ?? { taken: count, endsDate }
    },
    /** Undefined if there is no window. */
    readQuota: (key: string, now: string) => reader.first(queries.quota, { key, now }),
    /** Stores a session, and removes those that have ended. */
    beginSession: (record: SessionRecord, now: string) =>
      write(async (session) => {
        await session.run(queries.forgetSessions, { now })
        await session.run(queries.addSession, { ...record })
      }),
    /** Returns the name in a session of the site; undefined if there is no session, or if it has ended. */
    readSession: async (hash: string, siteId: string, now: string) =>
      (await reader.first(queries.session, { hash, siteId, now }))?.name,
    endSession: (hash: string) =>
      write(async (session) => void (await session.run(queries.removeSession, { hash }))),
  }
}

const queries = {
  takeQuota: defineQuery((db, is: { key: string; count: number; now: string; endsDate: string }) =>
    db
      .insertInto('quotas')
      .values({ key: is.key, taken: is.count, ends_date: is.endsDate })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((eb) => {
          const isOver = eb('quotas.ends_date', '<=', is.now)
          return {
            taken: eb
              .case()
              .when(isOver)
              .then(eb.ref('excluded.taken'))
              .else(eb('quotas.taken', '+', eb.ref('excluded.taken')))
              .end(),
            ends_date: eb
              .case()
              .when(isOver)
              .then(eb.ref('excluded.ends_date'))
              .else(eb.ref('quotas.ends_date'))
              .end(),
          }
        }),
      ),
  ),
  quota: defineQuery((db, is: { key: string; now: string }) =>
    db
      .selectFrom('quotas')
      .select(['taken', 'ends_date as endsDate'])
      .where('key', '=', is.key)
      .where('ends_date', '>', is.now),
  ),
  forgetQuotas: defineQuery((db, is: { now: string }) =>
    db.deleteFrom('quotas').where('ends_date', '<=', is.now),
  ),
  addSession: defineQuery((db, is: { hash: string; siteId: string; name: string; endsDate: string }) =>
    db
      .insertInto('sessions')
      .values({ hash: is.hash, site_id: is.siteId, name: is.name, ends_date: is.endsDate }),
  ),
  session: defineQuery((db, is: { hash: string; siteId: string; now: string }) =>
    db
      .selectFrom('sessions')
      .select('name')
      .where('hash', '=', is.hash)
      .where('site_id', '=', is.siteId)
      .where('ends_date', '>', is.now),
  ),
  removeSession: defineQuery((db, is: { hash: string }) =>
    db.deleteFrom('sessions').where('hash', '=', is.hash),
  ),
  forgetSessions: defineQuery((db, is: { now: string }) =>
    db.deleteFrom('sessions').where('ends_date', '<=', is.now),
  ),
}
