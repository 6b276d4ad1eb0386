import type { Creator } from './store.ts'

type CreatorColumns = { readonly [Member in keyof Creator]: string | null }

/** Returns the creator from a joined row; every member is '' if it is unknown. */
export function creatorOf(row: CreatorColumns): Creator {
  return {
    username: row.username ?? '',
    first_name: row.first_name ?? '',
    last_name: row.last_name ?? '',
    email_address: row.email_address ?? '',
  }
}
