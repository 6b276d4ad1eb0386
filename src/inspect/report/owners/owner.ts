import type { Owner, OwnersShown } from '../../../web/report/report.ts'

/**
 * Returns an owner by name, and by email address if these are shown. The address replaces a missing name; undefined if
 * neither can be shown.
 */
export function toOwner(
  { name, email = '' }: { readonly name: string; readonly email?: string | undefined },
  shown: OwnersShown,
): Owner | undefined {
  const plain = withoutAddresses(name)
  const address = [email, name].map((each) => each.trim()).find(isEmailAddress)
  if (shown === 'names' || address === undefined) return plain === '' ? undefined : { name: plain }
  return { name: plain === '' ? address : plain, email: address }
}

function isEmailAddress(text: string): boolean {
  return /^[^\s<>@]+@[^\s<>@]+$/.test(text)
}

const ADDRESSES = /[<(]?(?:mailto:)?[^\s<>()@]+@[^\s<>()@]+[>)]?/gi

/** Returns a person's name on one line, without email addresses, which people write into any field. */
function withoutAddresses(name: string): string {
  return name.replace(ADDRESSES, ' ').replace(/\s+/g, ' ').trim()
}

/** A user in the form of the target ("Review-date entry" in the specification). Any member may be missing. */
export interface TargetUser {
  readonly username?: string | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly email_address?: string | undefined
}

/** The creator of an article, by first and last name, otherwise username; undefined if the target states none. */
export function ownerOfUser(user: TargetUser | undefined, shown: OwnersShown): Owner | undefined {
  const { username = '', first_name: first = '', last_name: last = '', email_address: email } = user ?? {}
  const full = toOwner({ name: `${first} ${last}`, email }, shown)
  const isNamed = full !== undefined && full.name !== full.email
  return isNamed ? full : (toOwner({ name: username, email }, shown) ?? full)
}

export interface OwnersOfFiles {
  readonly ownersOf: (path: string) => readonly Owner[]
  /** Sentences for readers about missing owners. */
  readonly notes: readonly string[]
}

/** Returns no owners, with the reason. */
export function unknownOwners(note: string): OwnersOfFiles {
  return { ownersOf: () => [], notes: [note] }
}
