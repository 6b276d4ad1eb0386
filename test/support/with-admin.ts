import { openAdminStore, type AdminStore } from '../../src/server/store/admin/open-admin-store.ts'
import type { Creator } from '../../src/server/store/records.ts'

/** Does something with the administration of a database that a server has open. */
export async function withAdmin<Value>(
  file: string,
  work: (admin: AdminStore) => Promise<Value>,
): Promise<Value> {
  const admin = await openAdminStore({ db: file, languages: ['en'], now: '2026-03-01T10:00:00.000Z' })
  try {
    return await work(admin)
  } finally {
    await admin.close()
  }
}

interface NewKey {
  readonly hash: string
  readonly siteId: string
  readonly readOnly?: boolean
  readonly label?: string
  readonly expiresAt?: string
  /** Whose key it is; a user who is known by this name alone where it is left out. */
  readonly user?: Creator
}

/** Adds a user with a key to a site of a database. */
export function addKey(file: string, key: NewKey): Promise<void> {
  const {
    hash,
    siteId,
    readOnly = false,
    label = 'test',
    expiresAt = null,
    user = { ...NOBODY, username: hash },
  } = key
  return withAdmin(file, async (admin) => {
    const { id } = await admin.users.add(siteId, user)
    await admin.keys.add({
      hash,
      siteId,
      userId: id,
      label,
      readOnly,
      expiresAt,
      now: '2026-03-01T10:00:00.000Z',
    })
  })
}

const NOBODY = { first_name: '', last_name: '', email_address: '' }
