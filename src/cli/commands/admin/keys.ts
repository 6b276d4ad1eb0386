// `kb admin keys`
import { KbError } from '../../../core/errors/kb-error.ts'
import { issueKey, rotateApiKey } from '../../../server/open-administration.ts'
import { isCalendarDate } from '../../../core/calendar-date.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import { didYouMean } from '../../../core/nearest.ts'
import type { KeyRecord } from '../../../server/store/admin/key-admin.ts'
import { parseDurationMs } from '../../../core/quantities.ts'
import { formatTable, type TextColumn } from '../../text/format-table.ts'
import { parseName, parseText, wrongValue } from './arguments.ts'
import type { AdminAnswer, AdminCall, StoreCall } from './run-admin.ts'

interface KeyOptions {
  readonly user: string
  readonly label?: string
  readonly readOnly?: boolean
  readonly expires?: string
}

export async function listKeys({ admin, site, width }: StoreCall): Promise<AdminAnswer> {
  const keys = await admin.keys.list(site.id)
  const documents = keys.map(({ id, username, label, readOnly, createdDate, expiresAt, revokedAt }) => ({
    id,
    user: username,
    label,
    readOnly,
    created: createdDate,
    expires: expiresAt,
    revoked: revokedAt,
  }))
  return { document: { site: site.name, keys: documents }, text: formatTable(COLUMNS, keys, width) }
}

const COLUMNS: readonly TextColumn<KeyRecord>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'USER', cell: ({ username }) => username ?? '', isFlexible: true },
  { title: 'LABEL', cell: ({ label }) => label, isFlexible: true },
  { title: 'MAY', cell: ({ readOnly }) => (readOnly ? 'read' : 'write') },
  { title: 'CREATED', cell: ({ createdDate }) => createdDate.slice(0, 10) },
  { title: 'EXPIRES', cell: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? '' },
  { title: 'REVOKED', cell: ({ revokedAt }) => revokedAt?.slice(0, 10) ?? '' },
]

/** `kb admin keys add`: shows the key itself only once. */
export async function addKey({ admin, options, site, now }: StoreCall<KeyOptions>): Promise<AdminAnswer> {
  const user = await admin.users.find(site.id, parseName(options.user, 'username'))
  const label = parseText(options.label, 'label')
  const readOnly = options.readOnly === true
  const expiresAt = options.expires === undefined ? null : readExpiry(options.expires, now)
  const { key, hash, id } = issueKey(site.id)
  await admin.keys.add({ hash, siteId: site.id, userId: user.id, label, readOnly, expiresAt, now })
  return {
    document: { site: site.name, id, key, user: user.username, label, readOnly, expires: expiresAt },
    text: `${key}\n`,
    note: `This is key ${id}. It is shown only once: the server stores only its hash.`,
  }
}

/** Dates are compared as text, which works up to the year 9999. */
const LAST_MOMENT_MS = Date.UTC(9999, 11, 31)

/** Returns the end of a period: the start of a UTC date, or a duration from now. @throws KbError USAGE */
function readExpiry(text: string, now: string): string {
  const durationMs = parseDurationMs(text)
  const endMs =
    durationMs === undefined
      ? isCalendarDate(text)
        ? Date.parse(`${text}T00:00:00Z`)
        : undefined
      : Date.parse(now) + durationMs
  if (endMs === undefined || endMs >= LAST_MOMENT_MS) {
    throw wrongValue(
      `"${parseText(text, 'expiry')}" is neither a date nor a duration.`,
      'Use a date such as 2027-01-31, or a duration such as 90d.',
    )
  }
  if (endMs > Date.parse(now)) return new Date(endMs).toISOString()
  throw wrongValue(`The expiry "${text}" is in the past.`, 'Use a later one.')
}

/** `kb admin keys rotate`: replaces the server's own key, which is in a file, not in the database. */
export async function rotateKey({ apiKeyFile, confirm }: AdminCall): Promise<AdminAnswer> {
  await confirm('Replace the key of the server itself? Requests with the old key are rejected immediately.')
  const key = rotateApiKey(apiKeyFile)
  return {
    document: { key, file: apiKeyFile },
    text: `${key}\n`,
    note: `It is stored in ${escapeControlInLine(apiKeyFile)}. A running server uses it immediately, unless it was started with KB_API_KEY.`,
  }
}

/** `kb admin keys revoke ID`: the id is sufficient, unless --site limits the search. */
export async function runRevokeKey(call: StoreCall): Promise<AdminAnswer> {
  const { admin, now, confirm } = call
  const { site, key } = await findKey(call)
  const { id, label } = key
  const where = site.isDefault ? '' : ` of the site "${site.name}"`
  await confirm(
    `Revoke the key ${id}${label === '' ? '' : ` (${label})`}${where}? Requests with it will be rejected.`,
  )
  await admin.keys.revoke(site.id, id, now)
  const { revokedAt } = await admin.keys.find(site.id, id)
  return { document: { site: site.name, id, revoked: revokedAt }, text: `Key ${id}${where} is revoked.\n` }
}

/** @throws KbError ITEM_UNKNOWN with the scope of the search */
async function findKey({ admin, args, options, site }: StoreCall) {
  const id = parseName(args[0], 'id').toLowerCase()
  const isNamed = options.site !== undefined
  const known: string[] = []
  for (const each of isNamed ? [site] : await admin.sites.list()) {
    const keys = await admin.keys.list(each.id)
    const key = keys.find((candidate) => candidate.id === id)
    if (key !== undefined) return { site: each, key }
    known.push(...keys.map((candidate) => candidate.id))
  }
  const where = isNamed ? `in the site "${site.name}"` : 'in any site'
  throw new KbError('ITEM_UNKNOWN', `There is no key "${id}" ${where}. Nothing was changed.`, {
    hint:
      didYouMean(id, known) ??
      'kb admin keys list shows the keys of the default site; for another site, add --site NAME.',
  })
}
