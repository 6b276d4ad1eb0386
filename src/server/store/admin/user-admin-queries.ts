import type { Kysely, Selectable } from 'kysely'
import { prepareQuery } from '../prepared-query.ts'
import type { Tables } from '../tables.ts'

type UserRow = Omit<Selectable<Tables['users']>, 'site_id'> & {
  readonly keys: string | number | bigint | null
}

type KeyRow = Omit<Selectable<Tables['api_keys']>, 'site_id' | 'user_id'> & {
  readonly username: string | null
}

/** The queries on users and keys that only administration runs. */
export function userAdminQueries(db: Kysely<Tables>) {
  return {
    users: prepareQuery<{ siteId: string }, UserRow>((is) =>
      db
        .selectFrom('users')
        .select(['users.id', 'username', 'first_name', 'last_name', 'email_address'])
        .select((eb) =>
          eb
            .selectFrom('api_keys')
            .select((of) => of.fn.countAll().as('n'))
            .whereRef('api_keys.user_id', '=', 'users.id')
            .where('api_keys.revoked_at', 'is', null)
            .as('keys'),
        )
        .where('users.site_id', '=', is.siteId)
        .orderBy('username'),
    ),
    updateUser: prepareQuery((row: Omit<Selectable<Tables['users']>, 'site_id'>) =>
      db
        .updateTable('users')
        .set({
          username: row.username,
          first_name: row.first_name,
          last_name: row.last_name,
          email_address: row.email_address,
        })
        .where('id', '=', row.id),
    ),
    removeUser: prepareQuery((is: { id: string }) => db.deleteFrom('users').where('id', '=', is.id)),
    revokeKeysOf: prepareQuery((is: { userId: string; now: string }) =>
      db
        .updateTable('api_keys')
        .set({ revoked_at: is.now })
        .where('user_id', '=', is.userId)
        .where('revoked_at', 'is', null),
    ),
    keys: prepareQuery<{ siteId: string }, KeyRow>((is) =>
      db
        .selectFrom('api_keys')
        .leftJoin('users', 'users.id', 'api_keys.user_id')
        .select(['api_keys.hash', 'label', 'users.username', 'read_only', 'created_date', 'revoked_at'])
        .where('api_keys.site_id', '=', is.siteId)
        .orderBy('created_date')
        .orderBy('hash'),
    ),
  }
}
