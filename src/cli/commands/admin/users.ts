// `kb admin users`. Only this command shows names and e-mail addresses; usernames are also in the list of keys.
import type { UserRecord } from '../../../server/store/admin/user-admin.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import { formatTable, countColumn, type TextColumn } from '../../text/format-table.ts'
import { readEmail, parseName, parseText } from './arguments.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'

interface UserOptions {
  readonly username?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
}

export async function listUsers({ admin, site, width }: StoreCall): Promise<AdminAnswer> {
  const users = await admin.users.list(site.id)
  return {
    document: { site: site.name, users: users.map((user) => toDocument(user)) },
    text: formatTable(COLUMNS, users, width),
  }
}

const COLUMNS: readonly TextColumn<UserRecord>[] = [
  { title: 'USERNAME', cell: ({ username }) => username, isFlexible: true },
  { title: 'FIRST NAME', cell: (user) => user.first_name, isFlexible: true },
  { title: 'LAST NAME', cell: (user) => user.last_name, isFlexible: true },
  { title: 'E-MAIL', cell: (user) => user.email_address, isFlexible: true },
  countColumn('KEYS', ({ keys }) => keys),
]

export async function addUser({ admin, args, options, site }: StoreCall<UserOptions>): Promise<AdminAnswer> {
  const user = await admin.users.add(site.id, {
    username: parseName(args[0], 'username'),
    first_name: parseText(options.firstName, 'first name'),
    last_name: parseText(options.lastName, 'last name'),
    email_address: readEmail(options.email),
  })
  return {
    document: { site: site.name, user: toDocument(user) },
    text: `User "${user.username}" was added to the site "${site.name}".\n`,
  }
}

export async function updateUser(call: StoreCall<UserOptions>): Promise<AdminAnswer> {
  const { admin, args, options, site } = call
  const optional = (text: string | undefined, what: string) =>
    text === undefined ? undefined : parseText(text, what)
  const user = await admin.users.update(site.id, parseName(args[0], 'username'), {
    username: options.username === undefined ? undefined : parseName(options.username, 'new username'),
    first_name: optional(options.firstName, 'first name'),
    last_name: optional(options.lastName, 'last name'),
    email_address: options.email === undefined ? undefined : readEmail(options.email),
  })
  return {
    document: { site: site.name, user: { id: user.id, username: user.username } },
    text: `User "${user.username}" was updated.\n`,
  }
}

export async function removeUser({ admin, args, site, now, confirm }: StoreCall): Promise<AdminAnswer> {
  const { username } = await admin.users.find(site.id, parseName(args[0], 'username'))
  const keys = (await admin.keys.list(site.id)).filter(
    (key) => key.username === username && key.revokedAt === null,
  )
  const names = keys.map(({ id, label }) => (label === '' ? id : `${id} (${escapeControlInLine(label)})`))
  const revoked =
    keys.length === 0 ? '' : ` and revoke the ${keys.length === 1 ? 'key' : 'keys'} ${names.join(', ')}`
  await confirm(`Remove the user "${username}"${revoked}?`)
  await admin.users.remove(site.id, username, now)
  return {
    document: { site: site.name, removed: { username, revokedKeys: keys.map(({ id }) => id) } },
    text: `User "${username}" was removed. Keys revoked: ${names.join(', ') || 'none'}.\n`,
  }
}

function toDocument(user: UserRecord): object {
  return {
    id: user.id,
    username: user.username,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email_address,
    keys: user.keys,
  }
}
