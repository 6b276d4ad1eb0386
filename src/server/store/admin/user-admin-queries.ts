import type { Kysely, Selectable } from 'kysely'
import { prepareQuery } from '../prepared-query.ts'
import type { Tables } from '../tables.ts'

type UserRow = Omit<Selectable<Tables['users']>, 'site_id'> & {
  readonly keys: string | number | bigint | null
}

/** The queries on users that only administration runs. */
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
    insertUser: prepareQuery((row: Selectable<Tables['users']>) =>
      db.insertInto('users').values({
        id: row.id,
        site_id: row.site_id,
        username: row.username,
        first_name: row.first_name,
        last_name: row.last_name,
        email_address: row.email_address,
      }),
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
  }
}
