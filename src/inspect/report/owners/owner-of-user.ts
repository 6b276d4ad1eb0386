import type { Owner, OwnersShown } from '../../../web/report/report.ts'
import { toOwner } from './to-owner.ts'

/** A user as a target shows one ("Review-date entry" in the specification); anything may be missing. */
export interface TargetUser {
  readonly username?: string | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly email_address?: string | undefined
}

/** Who created an article, by first and last name, else user name; undefined where the target names nobody. */
export function ownerOfUser(user: TargetUser | undefined, shown: OwnersShown): Owner | undefined {
  const { username = '', first_name: first = '', last_name: last = '', email_address: email } = user ?? {}
  const full = toOwner({ name: `${first} ${last}`, email }, shown)
  const isNamed = full !== undefined && full.name !== full.email
  return isNamed ? full : (toOwner({ name: username, email }, shown) ?? full)
}
