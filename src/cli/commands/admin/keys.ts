// `kb admin keys`
import { issueKey } from '../../../server/open-administration.ts'
import { formatTable } from '../../format-table.ts'
import { readName, readText } from './arguments.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'

interface KeyOptions {
  readonly user: string
  readonly label?: string
  readonly readOnly?: boolean
}

/** `kb admin keys list` */
export async function listKeys({ admin, site, width }: StoreCall): Promise<AdminAnswer> {
  const keys = await admin.keys.list(site.id)
  const columns = [
    { title: 'ID' },
    { title: 'USER', isFlexible: true },
    { title: 'LABEL', isFlexible: true },
    { title: 'MAY' },
    { title: 'CREATED' },
    { title: 'REVOKED' },
  ] as const
  const rows = keys.map((key) => [
    key.id,
    key.username ?? '',
    key.label,
    key.readOnly ? 'read' : 'write',
    key.createdDate.slice(0, 10),
    key.revokedAt?.slice(0, 10) ?? '',
  ])
  const documents = keys.map(({ id, username, label, readOnly, createdDate, revokedAt }) => ({
    id,
    user: username,
    label,
    readOnly,
    created: createdDate,
    revoked: revokedAt,
  }))
  return { document: { site: site.name, keys: documents }, text: formatTable(columns, rows, width) }
}

/** `kb admin keys add`: the only moment at which the key itself is seen. */
export async function addKey({ admin, options, site, now }: StoreCall<KeyOptions>): Promise<AdminAnswer> {
  const user = await admin.users.find(site.id, readName(options.user, 'username'))
  const label = readText(options.label, 'label')
  const readOnly = options.readOnly === true
  const { key, hash, id } = issueKey()
  await admin.keys.add({ hash, siteId: site.id, userId: user.id, label, readOnly, now })
  return {
    document: { site: site.name, id, key, user: user.username, label, readOnly },
    text: `${key}\n`,
    note: `This is key ${id}. It is shown this once: the server keeps only its hash.\n`,
  }
}

/** `kb admin keys revoke ID` */
export async function revokeKey({ admin, args, site, now, confirm }: StoreCall): Promise<AdminAnswer> {
  const { id, label } = await admin.keys.find(site.id, readName(args[0], 'id').toLowerCase())
  await confirm(
    `Revoke the key ${id}${label === '' ? '' : ` (${label})`}? Whoever uses it is refused at once.`,
  )
  await admin.keys.revoke(site.id, id, now)
  const { revokedAt } = await admin.keys.find(site.id, id)
  return {
    document: { site: site.name, id, revoked: revokedAt },
    text: `Key ${id} is revoked.\n`,
  }
}
