import type { Kysely } from 'kysely'
import { keyIdOf } from '../../api-key.ts'
import type { Database, Session } from '../session.ts'
import type { Tables } from '../tables.ts'
import type { KeyAdmin, KeyRecord } from './admin-store.ts'
import { keyAdminQueries } from './key-admin-queries.ts'
import { noSuchItem } from './refuse.ts'

interface StoredKey extends KeyRecord {
  readonly hash: string
}

/** The API keys of a site. */
export function createKeyAdmin(database: Database, db: Kysely<Tables>): KeyAdmin {
  const queries = keyAdminQueries(db)

  async function list(session: Session, siteId: string): Promise<StoredKey[]> {
    const rows = await session.all(queries.keys, { siteId })
    return rows.map((row) => ({
      hash: row.hash,
      id: keyIdOf(row.hash),
      label: row.label,
      username: row.username,
      readOnly: row.read_only === 1,
      createdDate: row.created_date,
      revokedAt: row.revoked_at,
      expiresAt: row.expires_at,
    }))
  }

  async function find(session: Session, siteId: string, id: string): Promise<StoredKey> {
    const keys = await list(session, siteId)
    const found = keys.find((key) => key.id === id)
    if (found !== undefined) return found
    throw noSuchItem(
      'key',
      id,
      keys.map((key) => key.id),
    )
  }

  return {
    list: async (siteId) => (await list(database.reader, siteId)).map(withoutHash),
    find: async (siteId, id) => withoutHash(await find(database.reader, siteId, id)),
    async add({ hash, siteId, userId, label, readOnly, expiresAt = null, now }) {
      const row = { hash, site_id: siteId, user_id: userId, label, read_only: readOnly ? 1 : 0 }
      await database.write((session) =>
        session.run(queries.insertKey, { ...row, created_date: now, expires_at: expiresAt }),
      )
    },
    revoke: (siteId, id, now) =>
      database.write(async (session) => {
        const { hash } = await find(session, siteId, id)
        await revokeKey(session, queries, hash, now)
      }),
  }
}

/** A key that is revoked is noted for good: neither a restore nor the end of its site may bring it back. */
export async function revokeKey(
  session: Session,
  queries: Pick<ReturnType<typeof keyAdminQueries>, 'revokeKey' | 'noteRevoked'>,
  hash: string,
  now: string,
): Promise<void> {
  await session.run(queries.revokeKey, { hash, now })
  await session.run(queries.noteRevoked, { hash, now })
}

function withoutHash(key: StoredKey): KeyRecord {
  const { id, label, username, readOnly, createdDate, revokedAt, expiresAt } = key
  return { id, label, username, readOnly, createdDate, revokedAt, expiresAt }
}
