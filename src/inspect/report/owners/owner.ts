import type { Owner, OwnersShown } from '../../../web/report/report.ts'

/**
 * Someone by name, and by e-mail address where these are to be shown. Who has no name goes by the address; undefined
 * where nothing is left to show.
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

/** A person's name on one line, with no e-mail address in it: people write them into the strangest fields. */
function withoutAddresses(name: string): string {
  return name.replace(ADDRESSES, ' ').replace(/\s+/g, ' ').trim()
}

/** A user as a target shows one ("Review-date entry" in the specification); anything may be missing. */
export interface TargetUser {
  readonly username?: string | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly email_address?: string | undefined
}

/** The creator of an article, by first and last name, otherwise username; undefined if the target names none. */
export function ownerOfUser(user: TargetUser | undefined, shown: OwnersShown): Owner | undefined {
  const { username = '', first_name: first = '', last_name: last = '', email_address: email } = user ?? {}
  const full = toOwner({ name: `${first} ${last}`, email }, shown)
  const isNamed = full !== undefined && full.name !== full.email
  return isNamed ? full : (toOwner({ name: username, email }, shown) ?? full)
}

/** The people to ask about files. */
export interface OwnersOfFiles {
  readonly ownersOf: (path: string) => readonly Owner[]
  /** Why no one is known, or not everyone: sentences for the reader. */
  readonly notes: readonly string[]
}

/** No known owners, with the reason. */
export function nobodyKnown(note: string): OwnersOfFiles {
  return { ownersOf: () => [], notes: [note] }
}
