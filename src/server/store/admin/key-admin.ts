import type { Selectable } from 'kysely'
import { keyIdOf } from '../../api-key.ts'
import { defineQuery, type Database, type Session } from '../query.ts'
import type { Tables } from '../tables.ts'
import { noSuchItem } from './refuse.ts'

export interface KeyRecord {
  /** The first digits of the hash. They identify the key, but give no access. */
  readonly id: string
  readonly label: string
  /** null if the user was removed. */
  readonly username: string | null
  readonly readOnly: boolean
  readonly createdDate: string
  readonly revokedAt: string | null
  /** Expiry time; null for never. */
  readonly expiresAt: string | null
}

interface StoredKey extends KeyRecord {
  readonly hash: string
}

export interface NewKey extends Pick<StoredKey, 'hash' | 'label' | 'readOnly'> {
  readonly siteId: string
  readonly userId: string
  /** null or undefined for never. */
  readonly expiresAt?: string | null
  readonly now: string
}

/** The API keys of a site. */
export function createKeyAdmin(database: Database) {
  async function list(session: Session, siteId: string): Promise<StoredKey[]> {
    const rows = await session.all(keyAdminQueries.keys, { siteId })
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
    list: async (siteId: string) => (await list(database.reader, siteId)).map(withoutHash),
    find: async (siteId: string, id: string) => withoutHash(await find(database.reader, siteId, id)),
    async add(key: NewKey) {
      await database.write(key.siteId, (session) =>
        session.run(keyAdminQueries.insertKey, {
          hash: key.hash,
          site_id: key.siteId,
          user_id: key.userId,
          label: key.label,
          read_only: key.readOnly ? 1 : 0,
          created_date: key.now,
          expires_at: key.expiresAt ?? null,
        }),
      )
    },
    /** Takes effect as soon as the servers notice the commit. Revoking a revoked key changes nothing. */
    revoke: (siteId: string, id: string, now: string) =>
      database.write(siteId, async (session) => {
        const { hash } = await find(session, siteId, id)
        await revokeKey(session, hash, now)
      }),
  }
}

/** Records the revocation of a key permanently, so that neither a restore nor the removal of its site undoes it. */
export async function revokeKey(session: Session, hash: string, now: string): Promise<void> {
  await session.run(keyAdminQueries.revokeKey, { hash, now })
  await session.run(keyAdminQueries.noteRevoked, { hash, now })
}

function withoutHash(key: StoredKey): KeyRecord {
  const { id, label, username, readOnly, createdDate, revokedAt, expiresAt } = key
  return { id, label, username, readOnly, createdDate, revokedAt, expiresAt }
}

type KeyRow = Omit<Selectable<Tables['api_keys']>, 'site_id' | 'user_id'> & {
  readonly username: string | null
}

export const keyAdminQueries = {
  insertKey: defineQuery((db, row: Omit<Selectable<Tables['api_keys']>, 'revoked_at'>) =>
    db
      .insertInto('api_keys')
      .values({
        hash: row.hash,
        site_id: row.site_id,
        user_id: row.user_id,
        label: row.label,
        read_only: row.read_only,
        created_date: row.created_date,
        revoked_at: null,
        expires_at: row.expires_at,
      }),
  ),
  revokeKey: defineQuery((db, is: { hash: string; now: string }) =>
    db
      .updateTable('api_keys')
      .set({ revoked_at: is.now })
      .where('hash', '=', is.hash)
      .where('revoked_at', 'is', null),
  ),
  noteRevoked: defineQuery((db, is: { hash: string; now: string }) =>
    db
      .insertInto('revoked_keys')
      .values({ hash: is.hash, revoked_at: is.now })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  validKeysOf: defineQuery((db, is: { userId: string }) =>
    db.selectFrom('api_keys').select('hash').where('user_id', '=', is.userId).where('revoked_at', 'is', null),
  ),
  keys: defineQuery<{ siteId: string }, KeyRow>((db, is) =>
    db
      .selectFrom('api_keys')
      .leftJoin('users', 'users.id', 'api_keys.user_id')
      .select(['api_keys.hash', 'label', 'users.username', 'read_only', 'created_date'])
      .select(['revoked_at', 'expires_at'])
      .where('api_keys.site_id', '=', is.siteId)
      .orderBy('created_date')
      .orderBy('hash'),
  ),
}
