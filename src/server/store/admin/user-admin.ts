import type { Creator } from '../records.ts'
import type { Selectable } from 'kysely'
import { defineQuery, pickColumns, type Database, type Session } from '../query.ts'
import type { Tables } from '../tables.ts'
import { keyAdminQueries, revokeKey } from './key-admin.ts'
import { itemExists, noSuchItem } from './refuse.ts'

export interface UserRecord extends Creator {
  readonly id: string
  readonly keys: number
}

/** Undefined members are not changed. */
export type Edit<Item> = { readonly [Member in keyof Item]?: Item[Member] | undefined }

type UserRow = Selectable<Tables['users']>

/** The users of a site. */
export function createUserAdmin(database: Database) {
  return {
    list: (siteId: string) => list(database.reader, siteId),
    find: (siteId: string, username: string) => find(database.reader, siteId, username),
    add: (siteId: string, user: Creator) =>
      database.write(siteId, async (session) => {
        await assertFree(session, siteId, user.username)
        await session.run(userAdminQueries.insertUser, {
          ...toCreator(user),
          id: session.newId(),
          site_id: siteId,
        })
        return find(session, siteId, user.username)
      }),
    /** Undefined members are not changed. */
    update: (siteId: string, username: string, change: Edit<Creator>) =>
      database.write(siteId, async (session) => {
        const user = await find(session, siteId, username)
        const name = change.username ?? username
        if (name !== username) await assertFree(session, siteId, name)
        await session.run(userAdminQueries.updateUser, {
          id: user.id,
          username: name,
          first_name: change.first_name ?? user.first_name,
          last_name: change.last_name ?? user.last_name,
          email_address: change.email_address ?? user.email_address,
        })
        return find(session, siteId, name)
      }),
    /** Revokes the user's keys, too. Items created by the user stay. */
    remove: (siteId: string, username: string, now: string) =>
      database.write(siteId, async (session) => {
        const { id } = await find(session, siteId, username)
        // Keys are revoked before the user is deleted: the remaining row keeps the key revoked.
        for (const { hash } of await session.all(keyAdminQueries.validKeysOf, { userId: id }))
          await revokeKey(session, hash, now)
        await session.run(userAdminQueries.removeUser, { id })
      }),
  }
}

const CREATOR = ['username', 'first_name', 'last_name', 'email_address'] as const

function toCreator(row: Omit<UserRow, 'id' | 'site_id'>) {
  return pickColumns(row, CREATOR)
}

type ListedUser = Omit<UserRow, 'site_id'> & { readonly keys: string | number | bigint | null }

const userAdminQueries = {
  users: defineQuery<{ siteId: string }, ListedUser>((db, is) =>
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
  insertUser: defineQuery((db, row: UserRow) =>
    db.insertInto('users').values(pickColumns(row, ['id', 'site_id', ...CREATOR])),
  ),
  updateUser: defineQuery((db, row: Omit<UserRow, 'site_id'>) =>
    db.updateTable('users').set(toCreator(row)).where('id', '=', row.id),
  ),
  removeUser: defineQuery((db, is: { id: string }) => db.deleteFrom('users').where('id', '=', is.id)),
}

async function list(session: Session, siteId: string): Promise<UserRecord[]> {
  const rows = await session.all(userAdminQueries.users, { siteId })
  return rows.map(({ keys, ...row }) => ({ ...toCreator(row), id: row.id, keys: Number(keys) }))
}

async function find(session: Session, siteId: string, username: string): Promise<UserRecord> {
  const users = await list(session, siteId)
  const found = users.find((user) => user.username === username)
  if (found !== undefined) return found
  throw noSuchItem(
    'user',
    username,
    users.map((user) => user.username),
  )
}

async function assertFree(session: Session, siteId: string, username: string): Promise<void> {
  const users = await list(session, siteId)
  if (users.every((user) => user.username !== username)) return
  throw itemExists(`There is already a user "${username}" in this site.`)
}
