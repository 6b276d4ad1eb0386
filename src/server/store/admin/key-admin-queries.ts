import type { Kysely, Selectable } from 'kysely'
import { prepareQuery } from '../prepared-query.ts'
import type { Tables } from '../tables.ts'

type KeyRow = Omit<Selectable<Tables['api_keys']>, 'site_id' | 'user_id'> & {
  readonly username: string | null
}

/** The queries on keys that only administration runs. */
export function keyAdminQueries(db: Kysely<Tables>) {
  return {
    insertKey: prepareQuery((row: Omit<Selectable<Tables['api_keys']>, 'revoked_at'>) =>
      db.insertInto('api_keys').values({
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
    revokeKey: prepareQuery((is: { hash: string; now: string }) =>
      db
        .updateTable('api_keys')
        .set({ revoked_at: is.now })
        .where('hash', '=', is.hash)
        .where('revoked_at', 'is', null),
    ),
    noteRevoked: prepareQuery((is: { hash: string; now: string }) =>
      db
        .insertInto('revoked_keys')
        .values({ hash: is.hash, revoked_at: is.now })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    validKeysOf: prepareQuery((is: { userId: string }) =>
      db
        .selectFrom('api_keys')
        .select('hash')
        .where('user_id', '=', is.userId)
        .where('revoked_at', 'is', null),
    ),
    keys: prepareQuery<{ siteId: string }, KeyRow>((is) =>
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
}
